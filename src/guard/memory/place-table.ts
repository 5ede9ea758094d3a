/**
 * The places that evidence is kept for, in one block of memory: 64 bytes each, the most active kept. A Map of objects would
 * take five times as much, and its old generation would be collected for ever.
 */
import { HALF_LIVES, HEAT } from '../parameters.ts';
import { bucketOf, slotsOf, Touched } from './buckets.ts';

const WORDS = 16;
/** Places with the same lower bits share a set; in a full set the one idle for longest makes room. */
const WAYS = 8;
/** Times are kept in tenths of a second since the origin: 13 years. */
export const TICK = 100;
/** A closed place is kept as if it had been used so much later: forgetting it would open it. */
const CLOSED_LASTS = 3 * 86_400_000;

const KEY = 0;
const TIME = 1;
const TRIALS = 2;
const CONFIRMED = 5;
const OPEN = 8;
const HEAT_WORD = 9;
const PROBED = 10;
const SPACING = 11;
const WAITING = 12;
const FAILURES = 13;
const ALARMS = 14;
const BORN = 15;

export const SCALES = [0, 1, 2] as const;
export type Scale = (typeof SCALES)[number];

const MS_PER_NAT = HALF_LIVES.map((halfLife) => halfLife / Math.LN2) as [number, number, number];

/** The mean length of a memory, in ms. */
export function memoryOf(scale: Scale): number {
  return MS_PER_NAT[scale];
}

/** One place, read at a moment: all that fades has faded. */
export class Place {
  slot = -1;
  time = 0;
  /** Codes that had their time to be confirmed, and those confirmed, in each of the three memories. */
  readonly trials: [number, number, number] = [0, 0, 0];
  readonly confirmed: [number, number, number] = [0, 0, 0];
  /** Codes that may yet be confirmed. */
  open = 0;
  /** Above 0 while it is closed. */
  heat = 0;
  probedAt = 0;
  /** Between two requests of its flood, in ms. */
  spacing = 0;
  /** Requests refused since the last probe. */
  waiting = 0;
  /** Failed probes in a row; after it was opened again, that it burnt. */
  failures = 0;
  /** Places closed within it of late. */
  alarms = 0;
  bornAt = 0;

  /** As a place that nothing is known of. */
  clear(now: number): void {
    this.slot = -1;
    this.time = now;
    this.bornAt = now;
    this.trials.fill(0);
    this.confirmed.fill(0);
    this.open = 0;
    this.heat = 0;
    this.failures = 0;
    this.alarms = 0;
  }
}

export class PlaceTable {
  readonly #origin: number;
  readonly #sets: number;
  /** Of each set side by side, so that a search reads one line of the cache. */
  readonly #tags: Uint32Array;
  readonly #kinds: Uint8Array;
  readonly #whole: Uint32Array;
  readonly #parts: Float32Array;
  readonly #touched: Touched;

  /** `capacity` is a power of two; `origin` the earliest time, in Unix ms. */
  constructor(capacity: number, origin: number, touched = new Touched()) {
    this.#origin = origin;
    this.#touched = touched;
    this.#sets = capacity / WAYS;
    this.#tags = new Uint32Array(capacity);
    this.#kinds = new Uint8Array(capacity);
    this.#whole = new Uint32Array(capacity * WORDS);
    this.#parts = new Float32Array(this.#whole.buffer);
  }

  /** Where a place is kept; -1 if it is not. */
  find(hash: number, tag: number): number {
    const start = (hash & (this.#sets - 1)) * WAYS;
    for (let slot = start; slot < start + WAYS; slot++) if (this.#tags[slot] === tag) return slot;
    return -1;
  }

  /** Where a place is kept, which is made if it is new. */
  claim(hash: number, tag: number, kind: number, now: number): number {
    const found = this.find(hash, tag);
    if (found >= 0) return found;
    const start = (hash & (this.#sets - 1)) * WAYS;
    let oldest = start;
    let oldestUse = Number.POSITIVE_INFINITY;
    for (let slot = start; slot < start + WAYS; slot++) {
      if (this.#tags[slot] === 0) {
        oldest = slot;
        break;
      }
      const use = this.#lastUse(slot);
      if (use >= oldestUse) continue;
      oldestUse = use;
      oldest = slot;
    }
    const at = oldest * WORDS;
    this.#tags[oldest] = tag;
    this.#kinds[oldest] = kind;
    this.#whole.fill(0, at, at + WORDS);
    this.#whole[at + KEY] = hash;
    this.#whole[at + TIME] = this.#tick(now);
    this.#whole[at + BORN] = this.#tick(now);
    return oldest;
  }

  /** Hash and tag of the place in a slot. */
  keyOf(slot: number): { readonly hash: number; readonly tag: number } {
    return { hash: this.#whole[slot * WORDS + KEY] ?? 0, tag: this.#tags[slot] ?? 0 };
  }

  kindOf(slot: number): number {
    return this.#kinds[slot] ?? 0;
  }

  bornAt(slot: number): number {
    return this.#origin + (this.#whole[slot * WORDS + BORN] ?? 0) * TICK;
  }

  /** Reads a place as it is now. */
  read(slot: number, now: number, into: Place, halfLifeOfHeat: number): Place {
    const at = slot * WORDS;
    const parts = this.#parts;
    const time = this.#origin + (this.#whole[at + TIME] ?? 0) * TICK;
    const age = Math.max(0, now - time);
    into.slot = slot;
    into.time = Math.max(now, time);
    const [quick, hours, days] = MS_PER_NAT;
    const fadeQuick = age === 0 ? 1 : Math.exp(-age / quick);
    const fadeHours = age === 0 ? 1 : Math.exp(-age / hours);
    const fadeDays = age === 0 ? 1 : Math.exp(-age / days);
    into.trials[0] = (parts[at + TRIALS] ?? 0) * fadeQuick;
    into.trials[1] = (parts[at + TRIALS + 1] ?? 0) * fadeHours;
    into.trials[2] = (parts[at + TRIALS + 2] ?? 0) * fadeDays;
    into.confirmed[0] = (parts[at + CONFIRMED] ?? 0) * fadeQuick;
    into.confirmed[1] = (parts[at + CONFIRMED + 1] ?? 0) * fadeHours;
    into.confirmed[2] = (parts[at + CONFIRMED + 2] ?? 0) * fadeDays;
    into.open = parts[at + OPEN] ?? 0;
    const heat = parts[at + HEAT_WORD] ?? 0;
    into.heat = heat === 0 || age === 0 ? heat : coolDown(heat, age, halfLifeOfHeat);
    into.probedAt = this.#origin + (this.#whole[at + PROBED] ?? 0) * TICK;
    into.spacing = parts[at + SPACING] ?? 0;
    into.waiting = parts[at + WAITING] ?? 0;
    into.failures = (parts[at + FAILURES] ?? 0) * (age === 0 ? 1 : Math.exp(-age / days));
    into.alarms = (parts[at + ALARMS] ?? 0) * fadeHours;
    into.bornAt = this.bornAt(slot);
    return into;
  }

  write(place: Place): void {
    const at = place.slot * WORDS;
    const parts = this.#parts;
    this.#touched.mark(this.#whole[at + KEY] ?? 0);
    this.#whole[at + TIME] = this.#tick(place.time);
    for (const scale of SCALES) {
      parts[at + TRIALS + scale] = place.trials[scale];
      parts[at + CONFIRMED + scale] = place.confirmed[scale];
    }
    parts[at + OPEN] = place.open;
    parts[at + HEAT_WORD] = place.heat;
    this.#whole[at + PROBED] = this.#tick(place.probedAt);
    parts[at + SPACING] = place.spacing;
    parts[at + WAITING] = place.waiting;
    parts[at + FAILURES] = place.failures;
    parts[at + ALARMS] = place.alarms;
    this.#whole[at + BORN] = this.#tick(place.bornAt);
  }

  /** The slots in use that belong to a bucket. */
  *slots(bucket: number): Generator<number> {
    for (const slot of slotsOf(bucket, this.#sets, WAYS)) {
      if (this.#tags[slot] !== 0 && bucketOf(this.#whole[slot * WORDS + KEY] ?? 0) === bucket) yield slot;
    }
  }

  #lastUse(slot: number): number {
    const at = slot * WORDS;
    const closed = (this.#parts[at + HEAT_WORD] ?? 0) > 0;
    return (this.#whole[at + TIME] ?? 0) + (closed ? CLOSED_LASTS / TICK : 0);
  }

  #tick(ms: number): number {
    return Math.max(0, Math.round((ms - this.#origin) / TICK));
  }
}

/** Heat fades towards the point where the place opens, which it reaches after some half-lives. */
function coolDown(heat: number, age: number, halfLife: number): number {
  const cooled = heat * 2 ** (-age / halfLife);
  return cooled < HEAT.start / 8 ? 0 : cooled;
}
