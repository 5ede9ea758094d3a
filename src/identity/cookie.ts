/** Cookies that only this host can set: browsers enforce that for this prefix (RFC 6265bis, section 4.1.3.2). */
import type { FastifyRequest } from 'fastify';

/** An answer that cookies can be set on. */
export interface CookieReply {
  header(name: 'set-cookie', value: string): unknown;
}

export const SESSION_COOKIE = '__Host-countersign';

const FLAGS = 'Path=/; Secure; HttpOnly; SameSite=Lax';

export function readCookie({ headers }: Pick<FastifyRequest, 'headers'>, name: string): string | undefined {
  for (const pair of headers.cookie?.split(';') ?? []) {
    const at = pair.indexOf('=');
    if (pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}

/** Without an age the cookie ends when the browser is closed; with 0 it ends now. */
export function setCookie(reply: CookieReply, name: string, value: string, maxAgeSeconds?: number): void {
  const age = maxAgeSeconds === undefined ? '' : `; Max-Age=${maxAgeSeconds}`;
  reply.header('set-cookie', `${name}=${value}; ${FLAGS}${age}`);
}
