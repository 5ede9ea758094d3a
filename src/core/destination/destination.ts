import { parsePhoneNumberFromString } from 'libphonenumber-js/core/es6';
import metadata from 'libphonenumber-js/metadata.max.json';
import type { FieldErrorCode, FieldFault } from '../errors/field-error.ts';
import { withoutUnseen } from '../text/unseen.ts';
import { CHANNEL_NAMES, CHANNELS, type Channel, type DestinationKind, listKinds } from './channel.ts';
import { ANY_NUMBER, type Screen, USUAL_SCREENS } from './never-sent.ts';
import { readNumber } from './numbering-plan.ts';
import { plainNumber } from './plain-number.ts';
import { findWithdrawn, renumber } from './renumbered.ts';
import { parseSipUri } from './sip-uri.ts';

/** A telephone that a code can be sent to, in canonical form. */
export interface Destination {
  /** Canonical: `+4915123456789`, `tel:+12025550123;ext=12`, `sip:alice@example.com`. Answered and hashed. */
  readonly address: string;
  readonly kind: DestinationKind;
  /** ISO 3166 alpha-2, or `ZZ` if the destination has none (a SIP URI, +800 and similar). */
  readonly country: string;
}

export type ParsedDestination = { readonly ok: true; readonly destination: Destination } | RefusedDestination;

/** `detail` is one sentence for the client. */
export interface RefusedDestination extends FieldFault {
  readonly ok: false;
  /** The range that is never sent to, if it is refused for that. */
  readonly range?: string;
}

/** The longest SIP URI, with room for blanks around it. */
const MAX_INPUT = 300;

const NO_COUNTRY = 'ZZ';

/** At least a one-digit calling code and a service number; the numbering plan decides the rest. */
const E164 = /^\+[1-9]\d{4,14}$/;
/** RFC 3966 `tel:` with no parameter except the extension, after visual separators are removed. The scheme is optional. */
const TEL_URI = /^(?:tel:)?(\+[1-9]\d{4,14})(?:;ext=(\d{1,8}))?$/i;

const FORMATS: Record<DestinationKind, string> = {
  e164: 'a telephone number in E.164 format, such as +14155550123',
  extension: 'a number with an extension, such as tel:+14155550123;ext=12',
  sip: 'a SIP URI such as sip:alice@example.com',
};
const NOT_IN_PLAN = refuse(
  'invalid_number',
  'Expected a telephone number that is valid in the numbering plan of its country.',
);

/**
 * Reads a client's destination. Numbers must be valid in their plan, of a type that the channel can reach, and pass the screen;
 * the usual one of test keys unless another is given.
 */
export function parseDestination(
  input: string,
  channel: Channel,
  screen: Screen = USUAL_SCREENS.test,
): ParsedDestination {
  if (E164.test(input)) return parseNumber(input, undefined, channel, screen);
  const { takes } = CHANNELS[channel];
  if (input.length > MAX_INPUT) return refuseFormat(channel);

  const uri = withoutUnseen(input).trim();
  if (takes.includes('sip') && /^sips?:/i.test(uri)) {
    const address = parseSipUri(uri);
    return address === undefined
      ? refuseFormat(channel, 'not_a_sip_uri')
      : { ok: true, destination: { address, kind: 'sip', country: NO_COUNTRY } };
  }
  const bare = plainNumber(input);
  if (!takes.includes('extension')) {
    return E164.test(bare) ? parseNumber(bare, undefined, channel, screen) : refuseFormat(channel);
  }
  const [, number, extension] = TEL_URI.exec(bare) ?? [];
  return number === undefined ? refuseFormat(channel) : parseNumber(number, extension, channel, screen);
}

/** The channel that accepts the most kinds goes first, because its refusals apply to all others. */
const BROADEST_FIRST = CHANNEL_NAMES.toSorted((a, b) => CHANNELS[b].takes.length - CHANNELS[a].takes.length);

/** Reads a destination of any channel, whether or not it would be sent to. */
export function parseAnyDestination(input: string): ParsedDestination {
  let refused: ParsedDestination | undefined;
  for (const channel of BROADEST_FIRST) {
    const parsed = parseDestination(input, channel, ANY_NUMBER);
    if (parsed.ok) return parsed;
    refused ??= parsed;
  }
  return refused ?? NOT_IN_PLAN;
}

/** Reads what codes may have been sent to: the plan of its country may have changed since, and make it no number or a pager. */
export function parsePastDestination(input: string): ParsedDestination {
  const parsed = parseAnyDestination(input);
  if (parsed.ok || parsed.code === 'not_e164') return parsed;
  const [, number, extension] = TEL_URI.exec(plainNumber(input)) ?? [];
  return number === undefined ? parsed : { ok: true, destination: telephone(number, extension, NO_COUNTRY) };
}

function parseNumber(
  e164: string,
  extension: string | undefined,
  channel: Channel,
  screen: Screen,
): ParsedDestination {
  const { number, country, type } = interpret(e164);
  if (type === undefined) return refuseInvalid(e164);
  const { refuses, refusal } = CHANNELS[channel];
  const barred = screen(number, type);
  if (barred !== undefined) return { ok: false, detail: refusal, ...barred };
  const refused = refuses.get(type);
  if (refused !== undefined) return refuse(refused, refusal);
  return { ok: true, destination: telephone(number, extension, country) };
}

function telephone(number: string, extension: string | undefined, country: string): Destination {
  return extension === undefined
    ? { address: number, kind: 'e164', country }
    : { address: `tel:${number};ext=${extension}`, kind: 'extension', country };
}

/** With the full metadata a number has a type exactly if it is valid, so one check is enough. */
function interpret(e164: string) {
  const read = readNumber(e164);
  if (read !== undefined) return { number: e164, ...read };
  const parsed = parsePhoneNumberFromString(e164, metadata);
  return {
    number: parsed?.number ?? e164,
    country: parsed?.country ?? NO_COUNTRY,
    type: parsed?.getType(),
  };
}

/** The canonical address under which codes go today to who was known by this one, if their country has renumbered them. */
export function addressToday(address: string): string {
  const [, number, extension] = TEL_URI.exec(address) ?? [];
  if (number === undefined || interpret(number).type !== undefined) return address;
  const today = renumber(number)?.number;
  if (today === undefined) return address;
  const { country, type } = interpret(today);
  return type === undefined ? address : telephone(today, extension, country).address;
}

/** Says what became of a number that was valid once: only by a rule, as answers repeat nothing that was sent. */
function refuseInvalid(e164: string): RefusedDestination {
  const today = renumber(e164);
  if (today !== undefined && interpret(today.number).type !== undefined)
    return refuse('invalid_number', `Expected a number of today: ${today.rule}.`);
  const beginning = findWithdrawn(e164);
  if (beginning === undefined) return NOT_IN_PLAN;
  const range = `those of ${e164.length - 1} digits that begin with ${beginning}`;
  return refuse('invalid_number', `Expected a number that is in use: ${range} are not any more.`);
}

function refuseFormat(channel: Channel, code: FieldErrorCode = 'not_e164'): RefusedDestination {
  return refuse(code, `Expected ${listKinds(channel, FORMATS)}.`);
}

function refuse(code: FieldErrorCode, detail: string): RefusedDestination {
  return { ok: false, code, detail };
}

/** A destination from its canonical address, without parsing: numbering plans may have changed since. */
export function restoreDestination(address: string, country: string): Destination {
  const kind = address.startsWith('+') ? 'e164' : address.startsWith('tel:') ? 'extension' : 'sip';
  return { address, kind, country };
}
