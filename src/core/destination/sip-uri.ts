import { isIPv4 } from 'node:net';

const MAX_LENGTH = 255;
/** user@host with an optional port. The user may have RFC 3261's unreserved and the harmless part of user-unreserved. */
const SIP_URI = /^(sips?):([\w.!~*'()&=+$,-]+)@([a-z\d.-]+)(?::([1-9]\d{0,4}))?$/i;
const LABEL = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/;

/**
 * Reads a SIP or SIPS URI (RFC 3261, section 19.1) into its canonical form: scheme and host in lower case, the user
 * unchanged. Undefined if it is not one, or has parts that clients must not set: a password, parameters (maddr,
 * transport), headers, escapes, an IPv6 literal.
 */
export function parseSipUri(text: string): string | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const [, scheme, user, host, port] = SIP_URI.exec(text) ?? [];
  if (scheme === undefined || user === undefined || host === undefined) return undefined;
  const canonicalHost = host.toLowerCase();
  if (!isHost(canonicalHost) || Number(port ?? 1) > 65_535) return undefined;
  return `${scheme.toLowerCase()}:${user}@${canonicalHost}${port === undefined ? '' : `:${port}`}`;
}

/** A host name whose last label starts with a letter (RFC 3261, toplabel), or an IPv4 address. */
function isHost(host: string): boolean {
  const labels = host.split('.');
  return isIPv4(host) || (labels.every((label) => LABEL.test(label)) && /^[a-z]/.test(labels.at(-1) ?? ''));
}
