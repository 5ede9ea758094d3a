/** What Asterisk is told to dial. */
import type { Destination } from '../../core/destination/destination.ts';
import type { AsteriskOptions } from './options.ts';

/** Where to call, and the extension to dial once somebody answers. */
export interface DialString {
  readonly endpoint: string;
  readonly extension: string | undefined;
}

/** Or why the call cannot be made. */
export type Dialling = (DialString & { readonly ok: true }) | { readonly ok: false; readonly reason: string };

const NUMBER = /^(?:tel:)?(\+[1-9]\d{4,14})(?:;ext=(\d{1,8}))?$/;
/**
 * Allows no character that separates anything in a dial string (`/` its parts, `&` its targets, `@` user and endpoint,
 * `,` and `^` arguments) or begins an expression (`$`). Supporting the rare users that RFC 3261 would also allow is not
 * worth the risk.
 */
const SIP_URI = /^sips?:[A-Za-z0-9._~*+=-]+@[a-z0-9.-]+(?::\d{1,5})?$/;

type Trunks = Pick<AsteriskOptions, 'trunk' | 'number' | 'sipTrunk'>;

/**
 * Destinations come from outside, so what Asterisk gets is matched again here, as a whole. The technology and the
 * endpoint come only from the configuration: no destination reaches `Local/` or another trunk.
 */
export function dialStringOf({ address, kind }: Destination, { trunk, number, sipTrunk }: Trunks): Dialling {
  if (kind === 'sip') {
    if (sipTrunk === undefined) return { ok: false, reason: 'no sipTrunk for SIP URIs' };
    if (!SIP_URI.test(address)) return { ok: false, reason: 'SIP URI cannot be dialled safely' };
    return { ok: true, endpoint: `PJSIP/${sipTrunk}/${address}`, extension: undefined };
  }
  const [, to, extension] = NUMBER.exec(address) ?? [];
  if (to === undefined) return { ok: false, reason: 'not a telephone number' };
  const dialled = number.replace('{{to}}', to).replace('{{toDigits}}', to.slice(1));
  return { ok: true, endpoint: `PJSIP/${dialled}@${trunk}`, extension };
}
