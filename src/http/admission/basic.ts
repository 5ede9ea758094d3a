/** HTTP Basic (RFC 7617). */
const CREDENTIALS = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i;

/** Undefined if the header holds none. */
export function basicCredentials(
  authorization: string | undefined,
): { readonly user: string; readonly password: string } | undefined {
  const encoded = CREDENTIALS.exec(authorization ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString();
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : { user: text.slice(0, colon), password: text.slice(colon + 1) };
}
