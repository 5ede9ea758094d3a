/** A text as the short messages that carry it. */
import { type DataCoding, GSM_CODINGS } from './alphabets.ts';
import { MESSAGE_PAYLOAD, UDH_INDICATOR } from './body.ts';
import { encodeGsm7 } from './gsm7.ts';
import { encodeParameter } from './parameters.ts';

/**
 * How a text goes that is too long for one short message.
 * - `udh`: in parts with user data headers, which all handsets understand.
 * - `sar`: in parts that optional parameters number (SMPP 3.4, section 5.3.2.22); the SMSC makes the headers.
 * - `payload`: whole, as one optional parameter (section 5.3.2.32); the SMSC makes the parts.
 */
type Long = 'udh' | 'sar' | 'payload';

interface Manner {
  readonly dataCoding: DataCoding;
  readonly long: Long;
}

interface Part {
  readonly octets: Buffer;
  /** The optional parameters that are about the text, encoded. */
  readonly parameters?: Buffer;
}

export interface Segments {
  readonly dataCoding: number;
  readonly esmClass: number;
  readonly parts: readonly [Part, ...Part[]];
}

/** The header for concatenation with an 8-bit reference (3GPP TS 23.040, section 9.2.3.24.1): six octets, seven septets. */
const HEADER_OCTETS = 6;
const HEADER_SEPTETS = 7;
const MAX_SEPTETS = 160;
const MAX_OCTETS = 140;
const SAR_REFERENCE = 0x020c;
const SAR_TOTAL = 0x020e;
const SAR_NUMBER = 0x020f;
const NOTHING = Buffer.alloc(0);

/** As what a telephone gets it: septets, or octets of UCS-2. */
type Character = ArrayLike<number>;

interface Encoded {
  readonly dataCoding: number;
  readonly characters: readonly Character[];
  /** How much of them one short message holds, and how much one of several. */
  readonly whole: number;
  readonly part: number;
  /** The octets for the SMSC of some of the characters. */
  readonly write: (from: number, to: number) => Buffer;
}

/** @param reference tells this message's parts from those of another message to the same telephone. Its low octet is used. */
export function segmentText(text: string, reference: number, { dataCoding, long }: Manner): Segments {
  const encoded = encodeGsm(text, dataCoding.gsm) ?? encodeUcs2(text, dataCoding.ucs2);
  const { characters, whole, part, write } = encoded;
  const common = { dataCoding: encoded.dataCoding, esmClass: long === 'udh' ? UDH_INDICATOR : 0 };
  const [first, ...rest] = split(characters, lengthOf(characters) <= whole ? whole : part);
  if (rest.length === 0) return { ...common, esmClass: 0, parts: [{ octets: write(first.from, first.to) }] };
  if (long === 'payload') {
    const octets = write(0, characters.length);
    return { ...common, parts: [{ octets: NOTHING, parameters: encodeParameter(MESSAGE_PAYLOAD, octets) }] };
  }
  const total = rest.length + 1;
  const make = ({ from, to }: Run, number: number): Part => {
    const octets = write(from, to);
    return long === 'udh'
      ? { octets: Buffer.concat([Buffer.from([5, 0, 3, reference & 0xff, total, number]), octets]) }
      : { octets, parameters: sarParameters(reference, total, number) };
  };
  return { ...common, parts: [make(first, 1), ...rest.map((run, index) => make(run, index + 2))] };
}

/** Undefined if the alphabet of `dataCoding` lacks a character. */
function encodeGsm(text: string, dataCoding: number): Encoded | undefined {
  const characters = encodeGsm7(text);
  const writing = GSM_CODINGS.get(dataCoding) ?? 'septets';
  if (characters === undefined) return undefined;
  // What telephones get are septets in any case, so they decide what fits into a message.
  const room = { whole: MAX_SEPTETS, part: MAX_SEPTETS - HEADER_SEPTETS };
  // No character of the GSM alphabet is a surrogate pair: positions in the text are those of `characters`.
  if (writing === 'latin1') {
    for (const character of text) if (character.charCodeAt(0) > 0xff) return undefined;
    return {
      dataCoding,
      characters,
      ...room,
      write: (from, to) => Buffer.from(text.slice(from, to), 'latin1'),
    };
  }
  if (writing === 'common' && characters.some((septets, at) => septets[0] !== text.charCodeAt(at)))
    return undefined;
  return { dataCoding, characters, ...room, write: (from, to) => join(characters.slice(from, to)) };
}

/** Big-endian UTF-16 of each character. SMSCs call it UCS-2, but telephones read surrogate pairs: an emoji is two units. */
function encodeUcs2(text: string, dataCoding: number): Encoded {
  const characters = [...text.toWellFormed()].map((character) => Buffer.from(character, 'utf16le').swap16());
  const write = (from: number, to: number) => join(characters.slice(from, to));
  return { dataCoding, characters, whole: MAX_OCTETS, part: MAX_OCTETS - HEADER_OCTETS, write };
}

function sarParameters(reference: number, total: number, number: number): Buffer {
  return Buffer.concat([
    encodeParameter(SAR_REFERENCE, Buffer.from([0, reference & 0xff])),
    encodeParameter(SAR_TOTAL, Buffer.from([total])),
    encodeParameter(SAR_NUMBER, Buffer.from([number])),
  ]);
}

/** The characters from one to before another. */
interface Run {
  readonly from: number;
  readonly to: number;
}

/** Runs of at most `limit`; a character (an escape, a surrogate pair) is never cut in two. */
function split(characters: readonly Character[], limit: number): readonly [Run, ...Run[]] {
  const starts: number[] = [];
  let length = 0;
  for (const [index, character] of characters.entries()) {
    if (length + character.length > limit) {
      starts.push(index);
      length = 0;
    }
    length += character.length;
  }
  const end = characters.length;
  return [
    { from: 0, to: starts[0] ?? end },
    ...starts.map((from, index) => ({ from, to: starts[index + 1] ?? end })),
  ];
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
