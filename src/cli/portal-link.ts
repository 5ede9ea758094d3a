/** Where the service and its portal are, for printed links. */
import type { Config } from '../config/table/schema.ts';
import { makesCertificate } from '../http/connection/transport.ts';
import { portalLink } from '../identity/link.ts';
import type { BuildState } from '../portal/build-stamp.ts';

/** What people look for at each start. */
export function describeAddresses(config: Config, port: number): string {
  const origin = portalOrigin(config, port);
  return `Countersign is ready at ${localAddress(config, port)} (portal: ${origin}/portal/, reference: ${origin}/docs)`;
}

/** As seen from this machine. With a proxy in front, the port speaks plain HTTP. */
export const localAddress = ({ trustProxy }: Config, port: number): string =>
  `${trustProxy.length > 0 ? 'http' : 'https'}://localhost:${port}`;

/** What people need to get into the portal on the first start. */
export function describeSetup(config: Config, port: number, token: string): string {
  const warning = makesCertificate(config)
    ? 'Your browser warns of its certificate, which the service made itself; on this machine you may go on.\n'
    : '';
  return `The web portal has no owner yet. Open this link to become the owner. It works once, for a day; a restart\nprints another one:
   ${portalLink(portalOrigin(config, port), 'setup', token)}
${warning}`;
}

const BUILD_IT =
  'run `npm ci && npm prune --omit=dev --workspaces=false --no-save` where the service is installed, and restart it';

/** What is wrong with the portal's front end and what to do, in one line; undefined if nothing is. */
export function describeFrontEnd(state: BuildState): string | undefined {
  switch (state) {
    case 'missing':
      return `warning: the web portal is not built, so its pages are missing; ${BUILD_IT}`;
    case 'stale':
      return `warning: the web portal is built for another version of the service; ${BUILD_IT}`;
    default:
      return undefined;
  }
}

/** `https` even behind a proxy: only requests that reached the proxy over HTTPS are answered. */
export function portalOrigin({ publicUrl }: Config, port: number): string {
  return new URL(publicUrl ?? `https://localhost:${port}`).origin;
}
