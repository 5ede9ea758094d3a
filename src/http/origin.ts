/** Origins in their normal form: no port that the scheme implies, host names in lower case (RFC 9110, section 4.2.3). */

/** What no host has (RFC 6761, section 6.4). */
const NOBODYS = 'https://host.invalid';
/** A host with any of these would name another one, or a part of it. */
const NO_HOST = /[@/\\?#\s]/;

/** The service's origin as the client sees it, by the Host of its request: `https` also where a proxy ended TLS. */
export function originOfHost(host: string | undefined): string {
  if (host === undefined || host === '' || NO_HOST.test(host)) return NOBODYS;
  return URL.parse(`https://${host}`)?.origin ?? NOBODYS;
}

/** Whether an Origin header names the origin of this Host. */
export function isSameOrigin(origin: string | undefined, host: string | undefined): boolean {
  const own = originOfHost(host);
  return origin !== undefined && own !== NOBODYS && URL.parse(origin)?.origin === own;
}
