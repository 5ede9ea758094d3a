/**
 * What was learnt, as text for a column of the store: a version, a checksum, then places and numbers in rows of fixed length
 * and what is usual as JSON, all in base64. A place takes 66 bytes, as JSON it would take 300.
 */
import { crc32 } from 'node:zlib';
import type { NumberShare } from '../memory/number-changes.ts';
import type { UsualOf } from '../memory/usual.ts';
import { PLACE_KINDS } from '../request-places.ts';
import type { PlaceShare, Share } from '../sharing.ts';

/** Of this form. Nodes of another version, and the next start under another, ignore what they cannot read. */
const VERSION = 2;
/** The form before, which the next start after an upgrade still reads: its numbers had no confirmer, no codes of its own, no repeats. */
const BEFORE = 1;
/** Version, checksum of what follows, places, numbers. */
const HEAD = 13;
const CHECKED_FROM = 5;
const PLACE = 66;
const NUMBER = 52;
const NUMBER_BEFORE = 40;
const HAS_HEAT = 1;

export function encodeShare({ places, numbers, usual }: Share): string {
  const tail = usual.length === 0 ? '' : JSON.stringify(usual);
  const size = HEAD + places.length * PLACE + numbers.length * NUMBER;
  const bytes = Buffer.alloc(size + Buffer.byteLength(tail));
  const rows = new Rows(bytes);
  rows.byte(VERSION);
  rows.whole(0);
  rows.whole(places.length);
  rows.whole(numbers.length);
  for (const place of places) writePlace(rows, place);
  for (const number of numbers) writeNumber(rows, number);
  bytes.write(tail, size);
  bytes.writeUInt32LE(checksum(bytes, VERSION), 1);
  return bytes.toString('base64');
}

/** Undefined if it is damaged, or of another version. */
export function decodeShare(text: string): Share | undefined {
  const bytes = Buffer.from(text, 'base64');
  const version = bytes[0];
  if (bytes.length < HEAD || (version !== VERSION && version !== BEFORE)) return undefined;
  if (bytes.readUInt32LE(1) !== checksum(bytes, version)) return undefined;
  const rows = new Rows(bytes, CHECKED_FROM);
  const [places, numbers] = [rows.readWhole(), rows.readWhole()];
  const isBefore = version === BEFORE;
  const size = HEAD + places * PLACE + numbers * (isBefore ? NUMBER_BEFORE : NUMBER);
  if (bytes.length < size) return undefined;
  const share = {
    places: Array.from({ length: places }, () => readPlace(rows)),
    numbers: Array.from({ length: numbers }, () => readNumber(rows, isBefore)),
    usual: readUsual(bytes.toString('utf8', size)),
  };
  return share.places.every(({ kind }) => kind < PLACE_KINDS.length) ? share : undefined;
}

/** Starts from the version, so that a damaged one is noticed, too. The form before was checked without. */
function checksum(bytes: Buffer, version: number): number {
  return crc32(bytes.subarray(CHECKED_FROM), version === BEFORE ? 0 : version);
}

function writePlace(rows: Rows, place: PlaceShare): void {
  rows.byte(place.kind);
  rows.byte(place.heat === undefined ? 0 : HAS_HEAT);
  rows.whole(place.hash);
  rows.whole(place.tag);
  rows.time(place.at);
  rows.time(place.bornAt);
  for (const trials of place.trials) rows.part(trials);
  for (const confirmed of place.confirmed) rows.part(confirmed);
  rows.part(place.alarms);
  rows.part(place.heat ?? 0);
  rows.part(place.spacing);
  rows.part(place.failures);
}

function readPlace(rows: Rows): PlaceShare {
  const kind = rows.readByte();
  const hasHeat = rows.readByte() === HAS_HEAT;
  return {
    kind,
    hash: rows.readWhole(),
    tag: rows.readWhole(),
    at: rows.readTime(),
    bornAt: rows.readTime(),
    trials: [rows.readPart(), rows.readPart(), rows.readPart()],
    confirmed: [rows.readPart(), rows.readPart(), rows.readPart()],
    alarms: rows.readPart(),
    heat: heatOf(rows.readPart(), hasHeat),
    spacing: rows.readPart(),
    failures: rows.readPart(),
  };
}

function heatOf(heat: number, isSaid: boolean): number | undefined {
  return isSaid ? heat : undefined;
}

function writeNumber(rows: Rows, number: NumberShare): void {
  rows.whole(number.hash);
  rows.whole(number.tag);
  rows.time(number.askedAt);
  rows.time(number.confirmedAt);
  rows.time(number.wishAt);
  rows.whole(number.account);
  rows.part(number.unconfirmed);
  rows.whole(number.confirmer);
  rows.part(number.own);
  rows.part(number.repeats);
}

function readNumber(rows: Rows, isBefore: boolean): NumberShare {
  return {
    hash: rows.readWhole(),
    tag: rows.readWhole(),
    askedAt: rows.readTime(),
    confirmedAt: rows.readTime(),
    wishAt: rows.readTime(),
    account: rows.readWhole(),
    unconfirmed: rows.readPart(),
    confirmer: isBefore ? 0 : rows.readWhole(),
    own: isBefore ? 0 : rows.readPart(),
    repeats: isBefore ? 0 : rows.readPart(),
  };
}

/** Countries are few, and their names of any length. The checksum vouches for the form. */
function readUsual(text: string): readonly UsualOf[] {
  const usual: readonly UsualOf[] = text === '' ? [] : JSON.parse(text);
  return usual;
}

/** Writes or reads values one after the other. */
class Rows {
  readonly #view: DataView;
  #at: number;

  constructor({ buffer, byteOffset, byteLength }: Buffer, at = 0) {
    this.#view = new DataView(buffer, byteOffset, byteLength);
    this.#at = at;
  }

  byte(value: number): void {
    this.#view.setUint8(this.#take(1), value);
  }

  whole(value: number): void {
    this.#view.setUint32(this.#take(4), value, true);
  }

  /** Unix ms. */
  time(ms: number): void {
    this.#view.setFloat64(this.#take(8), ms, true);
  }

  /** As exact as it is remembered. */
  part(value: number): void {
    this.#view.setFloat32(this.#take(4), value, true);
  }

  readByte(): number {
    return this.#view.getUint8(this.#take(1));
  }

  readWhole(): number {
    return this.#view.getUint32(this.#take(4), true);
  }

  readTime(): number {
    return this.#view.getFloat64(this.#take(8), true);
  }

  readPart(): number {
    return this.#view.getFloat32(this.#take(4), true);
  }

  #take(length: number): number {
    const at = this.#at;
    this.#at += length;
    return at;
  }
}
