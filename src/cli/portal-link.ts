/** Where the portal is, for links that are printed. */
import type { Config } from '../config/schema.ts';
import { portalLink } from '../portal/link.ts';

/** What those who start the service for the first time need to get into the portal. */
export function describeSetup(config: Config, port: number, token: string): string {
  return `The web portal has no owner yet. This link makes one; it is good once, for a day, and a restart\nprints another:
   ${portalLink(portalOrigin(config, port), 'setup', token)}
`;
}

/** `https` also behind a proxy: only what reached it over HTTPS is answered. */
export function portalOrigin({ publicUrl }: Config, port: number): string {
  return publicUrl === undefined ? `https://localhost:${port}` : new URL(publicUrl).origin;
}
