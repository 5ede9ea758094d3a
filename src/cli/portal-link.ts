/** Where the portal is, for links that are printed. */

import type { Config } from '../config/schema.ts';
import type { BuildState } from '../portal/build-stamp.ts';
import { portalLink } from '../portal/link.ts';

/** What those who start the service for the first time need to get into the portal. */
export function describeSetup(config: Config, port: number, token: string): string {
  return `The web portal has no owner yet. This link makes one; it is good once, for a day, and a restart\nprints another:
   ${portalLink(portalOrigin(config, port), 'setup', token)}
`;
}

const BUILD_IT = 'run `npm ci && npm prune --omit=dev` where the service is installed, and restart it';

/** What is wrong with the portal's front end and what to do, in a line; undefined when nothing is. */
export function describeFrontEnd(state: BuildState): string | undefined {
  switch (state) {
    case 'missing':
      return `warning: the web portal is not built, and its pages are not there; ${BUILD_IT}`;
    case 'stale':
      return `warning: the web portal is of another version than the service; ${BUILD_IT}`;
    default:
      return undefined;
  }
}

/** `https` also behind a proxy: only what reached it over HTTPS is answered. */
export function portalOrigin({ publicUrl }: Config, port: number): string {
  return publicUrl === undefined ? `https://localhost:${port}` : new URL(publicUrl).origin;
}
