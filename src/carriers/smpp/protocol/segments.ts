/** A text as the short messages that carry it. */
import { encodeGsm7 } from './gsm7.ts';

export interface Segments {
  /** data_coding: 0 the GSM default alphabet, 8 UCS-2. */
  readonly dataCoding: 0 | 8;
  /** Whether each part begins with a user data header. */
  readonly concatenated: boolean;
  readonly parts: readonly [Buffer, ...Buffer[]];
}

/** The header for concatenation with an 8-bit reference (3GPP TS 23.040, section 9.2.3.24.1): six octets, seven septets. */
const HEADER_OCTETS = 6;
const HEADER_SEPTETS = 7;
const MAX_SEPTETS = 160;
const MAX_OCTETS = 140;

/**
 * Encodes `text`. Several parts are concatenated with user data headers and not sent as one message_payload: all
 * handsets understand the former, only some SMSCs the latter.
 *
 * @param reference tells this message's parts from those of another message to the same telephone. Its low octet is
 * used.
 */
export function segmentText(text: string, reference: number): Segments {
  const gsm7 = encodeGsm7(text);
  return gsm7 === undefined
    ? segment(8, encodeUcs2(text), MAX_OCTETS, MAX_OCTETS - HEADER_OCTETS, reference)
    : segment(0, gsm7, MAX_SEPTETS, MAX_SEPTETS - HEADER_SEPTETS, reference);
}

/** Big-endian UTF-16 of each character. SMSCs call it UCS-2, but telephones read surrogate pairs: an emoji is two units. */
function encodeUcs2(text: string): Buffer[] {
  return [...text.toWellFormed()].map((character) => Buffer.from(character, 'utf16le').swap16());
}

type Character = ArrayLike<number>;

function segment(
  dataCoding: 0 | 8,
  characters: readonly Character[],
  whole: number,
  part: number,
  reference: number,
): Segments {
  if (lengthOf(characters) <= whole) return { dataCoding, concatenated: false, parts: [join(characters)] };
  const [first, ...rest] = split(characters, part);
  const total = rest.length + 1;
  const header = (index: number): number[] => [5, 0, 3, reference & 0xff, total, index];
  return {
    dataCoding,
    concatenated: true,
    parts: [
      join([header(1), ...first]),
      ...rest.map((characters, index) => join([header(index + 2), ...characters])),
    ],
  };
}

/** Runs of at most `limit` octets; a character (an escape, a surrogate pair) is never cut in two. */
function split(characters: readonly Character[], limit: number): [Character[], ...Character[][]] {
  let current: Character[] = [];
  let length = 0;
  const runs: [Character[], ...Character[][]] = [current];
  for (const character of characters) {
    if (length + character.length > limit) {
      current = [];
      length = 0;
      runs.push(current);
    }
    current.push(character);
    length += character.length;
  }
  return runs;
}

function lengthOf(characters: readonly Character[]): number {
  let sum = 0;
  for (const { length } of characters) sum += length;
  return sum;
}

function join(characters: readonly Character[]): Buffer {
  const octets = Buffer.alloc(lengthOf(characters));
  let end = 0;
  for (const character of characters) {
    for (let i = 0; i < character.length; i += 1) octets[end++] = character[i] ?? 0;
  }
  return octets;
}
