import { parsePhoneNumberFromString } from 'libphonenumber-js/core/es6';
import metadata from 'libphonenumber-js/metadata.max.json';
import { readNumber } from './numbering-plan.ts';
import { parseSipUri } from './sip-uri.ts';

export type Channel = 'sms' | 'voice';

/** A telephone that a code can be sent to, parsed and in its one canonical spelling. */
export interface Destination {
  /** Canonical: `+4915123456789`, `tel:+12025550123;ext=12`, `sip:alice@example.com`. What is echoed and hashed. */
  readonly address: string;
  readonly kind: 'e164' | 'extension' | 'sip';
  /** ISO 3166 alpha-2, or `ZZ` where the destination has none (a SIP URI, +800 and the like). */
  readonly country: string;
}

export type ParsedDestination =
  | { readonly ok: true; readonly destination: Destination }
  /** `detail` is one sentence for the client; it never holds what was sent. */
  | { readonly ok: false; readonly detail: string };

/** Longest input looked at: the longest SIP URI with room for blanks around it. */
const MAX_INPUT = 300;

const NO_COUNTRY = 'ZZ';

/** The fewest digits leave a one-digit calling code and a service number; the numbering plan says the rest. */
const E164 = /^\+[1-9]\d{4,14}$/;
/** RFC 3966 `tel:` with no parameter but the extension. The scheme may be missing, the visual separators are gone. */
const TEL_URI = /^(?:tel:)?(\+[1-9]\d{4,14})(?:;ext=(\d{1,8}))?$/i;
/** Blanks, hyphens, minus, brackets and dots; marks of direction come along when a number is copied from a telephone. */
const SEPARATORS = /[ \-‐‒–−().\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const ARABIC_INDIC = /[٠-٩۰-۹]/g;

/**
 * Types of number that a channel cannot reach, or must not. VoIP and personal numbers may receive both, and where
 * a plan does not tell mobiles from landlines (FIXED_LINE_OR_MOBILE, all of North America) nothing is refused.
 *
 * sms: landlines, pagers and mailboxes take no SMS; toll-free, shared-cost, premium-rate and company-wide (UAN)
 * numbers belong to no person's telephone and are a classic target of toll fraud.
 * voice: premium-rate numbers bill the caller, pagers cannot listen, and a mailbox tells the code to whoever calls it.
 */
const REFUSED: Record<Channel, ReadonlySet<string>> = {
  sms: new Set(['FIXED_LINE', 'PREMIUM_RATE', 'SHARED_COST', 'TOLL_FREE', 'UAN', 'PAGER', 'VOICEMAIL']),
  voice: new Set(['PREMIUM_RATE', 'PAGER', 'VOICEMAIL']),
};

const FORMAT: Record<Channel, string> = {
  sms: 'Expected a telephone number in E.164 format, such as +14155550123.',
  voice:
    'Expected a telephone number in E.164 format, such as +14155550123, one with an extension as tel:+14155550123;ext=12, or a SIP URI such as sip:alice@example.com.',
};
const NOT_IN_PLAN = 'Expected a telephone number that is valid in the numbering plan of its country.';
const WRONG_TYPE: Record<Channel, string> = {
  sms: 'Expected a number that can receive SMS, not a landline, premium-rate or service number.',
  voice: 'Expected a number that can be called, not a premium-rate, pager or voicemail number.',
};

/** Reads what a client sent as destination. Numbers must be valid in their plan and of a type the channel can reach. */
export function parseDestination(input: string, channel: Channel): ParsedDestination {
  if (E164.test(input)) return parseNumber(input, undefined, channel);
  if (input.length > MAX_INPUT) return refuse(FORMAT[channel]);

  if (channel === 'voice' && /^\s*sips?:/i.test(input)) {
    const address = parseSipUri(input.trim());
    return address === undefined
      ? refuse(FORMAT.voice)
      : { ok: true, destination: { address, kind: 'sip', country: NO_COUNTRY } };
  }
  const bare = input
    .normalize('NFKC')
    .trim()
    .replace(SEPARATORS, '')
    .replace(ARABIC_INDIC, (digit) => `${digit.charCodeAt(0) & 0xf}`);
  if (channel === 'sms') return E164.test(bare) ? parseNumber(bare, undefined, channel) : refuse(FORMAT.sms);
  const [, number, extension] = TEL_URI.exec(bare) ?? [];
  return number === undefined ? refuse(FORMAT.voice) : parseNumber(number, extension, channel);
}

function parseNumber(e164: string, extension: string | undefined, channel: Channel): ParsedDestination {
  const read = readNumber(e164);
  const { number, country, type } = read === undefined ? interpret(e164) : { number: e164, ...read };
  if (type === undefined) return refuse(NOT_IN_PLAN);
  if (REFUSED[channel].has(type)) return refuse(WRONG_TYPE[channel]);
  const destination: Destination =
    extension === undefined
      ? { address: number, kind: 'e164', country }
      : { address: `tel:${number};ext=${extension}`, kind: 'extension', country };
  return { ok: true, destination };
}

/** With the full metadata a number has a type exactly if it is valid: asking for both would match it twice. */
function interpret(e164: string) {
  const parsed = parsePhoneNumberFromString(e164, metadata);
  return {
    number: parsed?.number ?? e164,
    country: parsed?.country ?? NO_COUNTRY,
    type: parsed?.getType(),
  };
}

function refuse(detail: string): ParsedDestination {
  return { ok: false, detail };
}

/** A destination from its canonical address, as it was once parsed: numbering plans may have changed since. */
export function restoreDestination(address: string, country: string): Destination {
  const kind = address.startsWith('+') ? 'e164' : address.startsWith('tel:') ? 'extension' : 'sip';
  return { address, kind, country };
}
