/**
 * What the octets of a received text may say. SMSCs and gateways label texts wrongly: data_coding says 8 of ASCII, 0 of UCS-2, or
 * nothing of the order of the octets. So whoever looks for something goes through all readings, the labelled one first.
 */
import { GSM7_BASIC } from '../../../core/message/segments.ts';
import { MESSAGE_PAYLOAD, type ReceivedMessage, UDH_INDICATOR } from './body.ts';

type Alphabet = (octets: Buffer) => string;

/** One septet in each octet. Letters and digits are as in ASCII. */
export const gsm7: Alphabet = (octets) => Array.from(octets, (septet) => GSM7_BASIC.charAt(septet)).join('');
export const latin1: Alphabet = (octets) => octets.toString('latin1');
const utf8: Alphabet = (octets) => octets.toString('utf8');
const littleEndian: Alphabet = (octets) => withoutMark(octets.toString('utf16le'));
const ucs2: Alphabet = (octets) =>
  withoutMark(
    Buffer.from(octets.subarray(0, octets.length & ~1))
      .swap16()
      .toString('utf16le'),
  );

const ALL: readonly Alphabet[] = [gsm7, latin1, utf8, ucs2, littleEndian];

/** The readings of a text, that of its label first, then in the `plain` alphabet: that of all labels but UCS-2. */
export function* readings(message: ReceivedMessage, plain: Alphabet): Generator<string> {
  const labelled = isUcs2(message.dataCoding) ? ucs2 : plain;
  const places = octetsOf(message);
  for (const alphabet of new Set([labelled, plain, ...ALL])) {
    for (const octets of places) yield alphabet(octets);
  }
}

/** SMPP 3.4, section 5.2.19; from 0x10 on 3GPP TS 23.038, section 4: general coding, and the indication of waiting messages. */
function isUcs2(dataCoding: number): boolean {
  if (dataCoding < 0x10) return dataCoding === 8;
  return (dataCoding & 0x8c) === 8 || (dataCoding & 0xf0) === 0xe0;
}

/** Without the user data header, then with what may be none; and message_payload, if it stands beside a short_message. */
function octetsOf({ esmClass, octets, tlvs }: ReceivedMessage): readonly Buffer[] {
  const payload = tlvs.get(MESSAGE_PAYLOAD) ?? octets;
  const bodies = payload === octets ? [octets] : [octets, payload];
  if ((esmClass & UDH_INDICATOR) === 0) return bodies;
  return [octets.subarray(1 + (octets[0] ?? 0)), ...bodies];
}

/** The mark of the order of the octets is no part of the text. */
function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}
