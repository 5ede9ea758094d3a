/** The signed cookie between `start` and `check`: which verification, until when, and for whom. */
import { decodeBase64, encodeBase64, hmacKey } from './hmac.ts';
import type { Platform } from './settings.ts';

/**
 * Browsers take a cookie of this prefix only from the host itself, over HTTPS: no other subdomain can plant one. They do not
 * tell ports apart, so the name is none of the service's own: its portal may be on the same host.
 */
const NAME = '__Host-countersign-verify';
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Lax';
const VALID_S = 600;

export const clearedCookie = `${NAME}=; ${ATTRIBUTES}; Max-Age=0`;

interface OwnVerification {
  readonly id: string;
  /** Whether it was made for this destination. */
  isFor(destination: string): Promise<boolean>;
}

interface CookieOptions {
  readonly secret: string;
  readonly platform?: Pick<Platform, 'Date'> | undefined;
}

export interface Cookies {
  make(id: string, destination: string): Promise<string>;
  read(header: string): Promise<OwnVerification | undefined>;
}

/** The value is `id.end.tag.signature`. The destination is in it only as a keyed hash, the tag. */
export function createCookies({ secret, platform = globalThis }: CookieOptions): Cookies {
  // Imported at each use: some workers let nothing asynchronous begin outside of a request.
  const importKey = () => hmacKey(new TextEncoder().encode(secret));
  /** Each use has its purpose in what is signed, so that one cannot stand for another. */
  const bytesOf = (purpose: string, text: string) =>
    new TextEncoder().encode(`countersign ${purpose}\n${text}`);
  const sign = async (purpose: string, text: string) =>
    encodeBase64(new Uint8Array(await crypto.subtle.sign('HMAC', await importKey(), bytesOf(purpose, text))));
  const isSigned = async (purpose: string, text: string, signature: string) => {
    const bytes = decodeBase64(signature);
    return (
      bytes !== undefined && crypto.subtle.verify('HMAC', await importKey(), bytes, bytesOf(purpose, text))
    );
  };
  return {
    async make(id, destination) {
      const end = Math.floor(platform.Date.now() / 1000) + VALID_S;
      const value = `${id}.${end}.${await sign('destination', `${id}\n${destination}`)}`;
      return `${NAME}=${value}.${await sign('cookie', value)}; ${ATTRIBUTES}; Max-Age=${VALID_S}`;
    },
    async read(header) {
      const [, value = ''] = header.match(new RegExp(`(?:^|; ?)${NAME}=([^;]*)`)) ?? [];
      const [id = '', end = '', tag = '', signature = ''] = value.split('.');
      if (!(await isSigned('cookie', `${id}.${end}.${tag}`, signature))) return undefined;
      if (Number(end) * 1000 < platform.Date.now()) return undefined;
      return { id, isFor: (destination) => isSigned('destination', `${id}\n${destination}`, tag) };
    },
  };
}
