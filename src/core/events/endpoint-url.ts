/** The address of an endpoint, as an account gives it. */
import { isIP } from 'node:net';
import type { FieldFault } from '../errors/field-error.ts';
import { createAddressGuard } from './addresses.ts';

const LONGEST = 2_000;

/**
 * `privateNetworks`: those that the operator allows; only with some may an endpoint do without TLS. A name is looked up when
 * something is sent, and what it stands for is checked then.
 */
export function readEndpointUrl(
  text: string,
  privateNetworks: readonly string[],
): { readonly ok: true; readonly url: string } | ({ readonly ok: false } & FieldFault) {
  if (text.length > LONGEST) {
    return { ok: false, code: 'too_long', detail: `must have at most ${LONGEST} characters` };
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const schemes = privateNetworks.length > 0 ? ['https:', 'http:'] : ['https:'];
  if (url === undefined || !schemes.includes(url.protocol)) {
    return wrong('must be an https address such as https://example.com/webhooks');
  }
  if (url.username !== '' || url.password !== '') {
    return wrong('must not contain a user or a password: the signature says who sends');
  }
  if (url.hash !== '') return wrong('must not have a fragment (#)');
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const address = host === 'localhost' || host.endsWith('.localhost') ? '127.0.0.1' : host;
  if (isIP(address) !== 0 && !createAddressGuard(privateNetworks)(address)) {
    return {
      ok: false,
      code: 'not_allowed_value',
      detail: 'must be on the public Internet, or in one of `webhooks.privateNetworks`',
    };
  }
  return { ok: true, url: url.href };
}

const wrong = (detail: string) => ({ ok: false, code: 'wrong_format', detail }) as const;
