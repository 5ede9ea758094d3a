/**
 * What was learnt, as text for a column of the store: a version, a checksum, then places and numbers in rows of fixed length
 * and what is usual as JSON, all in base64. A place takes 66 bytes, as JSON it would take 300.
 */
import { crc32 } from 'node:zlib';
import type { BaselineOf } from '../memory/baseline.ts';
import { NUMBER_ROW, NumberShares } from '../memory/number-shares.ts';
import { PLACE_ROW, PlaceShares } from '../memory/place-shares.ts';
import { PLACE_KINDS } from '../request-places.ts';
import type { Share } from '../sharing.ts';

/** Of this form. Nodes of another version, and the next start under another, ignore what they cannot read. */
const VERSION = 2;
/** Version, checksum of what follows, places, numbers. */
const HEAD = 13;
const CHECKED_FROM = 5;

export function encodeShare({ places, numbers, baseline }: Share): string {
  const tail = baseline.length === 0 ? '' : JSON.stringify(baseline);
  const numbersAt = HEAD + places.length * PLACE_ROW;
  const size = numbersAt + numbers.length * NUMBER_ROW;
  const bytes = Buffer.allocUnsafe(size + Buffer.byteLength(tail));
  bytes.writeUInt8(VERSION, 0);
  bytes.writeUInt32LE(places.length, 5);
  bytes.writeUInt32LE(numbers.length, 9);
  bytes.set(places.bytes, HEAD);
  bytes.set(numbers.bytes, numbersAt);
  bytes.write(tail, size);
  bytes.writeUInt32LE(checksum(bytes), 1);
  return bytes.toString('base64');
}

/** Undefined if it is damaged, or of another version. */
export function decodeShare(text: string): Share | undefined {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length < HEAD || bytes[0] !== VERSION || bytes.readUInt32LE(1) !== checksum(bytes))
    return undefined;
  const numbersAt = HEAD + bytes.readUInt32LE(5) * PLACE_ROW;
  const size = numbersAt + bytes.readUInt32LE(9) * NUMBER_ROW;
  if (bytes.length < size) return undefined;
  const places = new PlaceShares(bytes.subarray(HEAD, numbersAt));
  for (let index = 0; index < places.length; index++)
    if (places.kindAt(index) >= PLACE_KINDS.length) return undefined;
  return {
    places,
    numbers: new NumberShares(bytes.subarray(numbersAt, size)),
    baseline: readUsual(bytes.toString('utf8', size)),
  };
}

const checksum = (bytes: Buffer): number => crc32(bytes.subarray(CHECKED_FROM));

/** Countries are few, and their names of any length. The checksum vouches for the form. */
function readUsual(text: string): readonly BaselineOf[] {
  const baseline: readonly BaselineOf[] = text === '' ? [] : JSON.parse(text);
  return baseline;
}
