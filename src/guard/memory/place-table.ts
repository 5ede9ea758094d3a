/**
 * The places that evidence is kept for, in one block of memory: 77 bytes each, the most active kept. A Map of objects would
 * take five times as much, and its old generation would be collected for ever.
 */
import { HEAT } from '../parameters.ts';
import { bucketOf, Touched } from './buckets.ts';
import { memoryOf, type Place } from './place.ts';
import { SetIndex } from './set-index.ts';

const WORDS = 18;
/** Places with the same lower bits share a set; in a full set the one idle for longest makes room. */
const WAYS = 8;
/** Times are kept in tenths of a second since the origin: 13 years. */
export const PLACE_TICK = 100;
/** A closed place is kept as if it had been used so much later: forgetting it would open it. */
const CLOSED_LASTS = 3 * 86_400_000;

const KEY = 0;
const TAG = 1;
/** Its kind, above that its place in its set, and above that what `setNote` notes. */
const MARKS = 2;
const TIME = 3;
const BORN = 4;
const TRIALS = 5;
const CONFIRMED = 8;
const OPEN = 11;
const HEAT_WORD = 12;
const PROBED = 13;
const SPACING = 14;
const WAITING = 15;
const FAILURES = 16;
const ALARMS = 17;

const KIND_BITS = 15;
const WAY_SHIFT = 4;
const NOTE_SHIFT = 8;
const BELOW_NOTE = 255;

const MINUTES = memoryOf(0);
const HOURS = memoryOf(1);
const DAYS = memoryOf(2);

export class PlaceTable {
  readonly #origin: number;
  readonly #index: SetIndex;
  readonly #whole: Uint32Array;
  readonly #parts: Float32Array;
  readonly #touched: Touched;
  #changes = 0;

  /** `capacity` is a power of two; `origin` the earliest time, in Unix ms. */
  constructor(capacity: number, origin: number, touched = new Touched()) {
    this.#origin = origin;
    this.#touched = touched;
    this.#index = new SetIndex(capacity, WAYS);
    this.#whole = new Uint32Array(capacity * WORDS);
    this.#parts = new Float32Array(this.#whole.buffer);
  }

  /** How often any place was changed. */
  get changes(): number {
    return this.#changes;
  }

  /** Where a place is kept; -1 if it is not. */
  find(hash: number, tag: number): number {
    return this.#index.find(hash, tag);
  }

  /** Where a place is kept, which is made if it is new. */
  claim(hash: number, tag: number, kind: number, now: number): number {
    const found = this.#index.find(hash, tag);
    if (found >= 0) return found;
    this.#changes += 1;
    const way = this.#wayFor(hash);
    const slot = this.#index.put(hash, way, tag);
    const at = slot * WORDS;
    const note = (this.#whole[at + MARKS] ?? 0) & ~BELOW_NOTE;
    this.#whole.fill(0, at, at + WORDS);
    this.#whole[at + KEY] = hash;
    this.#whole[at + TAG] = tag;
    this.#whole[at + MARKS] = kind | (way << WAY_SHIFT) | note;
    this.#whole[at + TIME] = this.#tick(now);
    this.#whole[at + BORN] = this.#tick(now);
    return slot;
  }

  hashOf(slot: number): number {
    return this.#whole[slot * WORDS + KEY] ?? 0;
  }

  tagOf(slot: number): number {
    return this.#whole[slot * WORDS + TAG] ?? 0;
  }

  kindOf(slot: number): number {
    return (this.#whole[slot * WORDS + MARKS] ?? 0) & KIND_BITS;
  }

  /** What was noted beside a slot, whichever place is in it. */
  noteOf(slot: number): number {
    return (this.#whole[slot * WORDS + MARKS] ?? 0) >>> NOTE_SHIFT;
  }

  /** `note` has 24 bits. */
  setNote(slot: number, note: number): void {
    const at = slot * WORDS + MARKS;
    this.#whole[at] = ((this.#whole[at] ?? 0) & BELOW_NOTE) | (note << NOTE_SHIFT);
  }

  bornAt(slot: number): number {
    return this.#origin + (this.#whole[slot * WORDS + BORN] ?? 0) * PLACE_TICK;
  }

  /** Reads a place as it is now. */
  read(slot: number, now: number, into: Place, halfLifeOfHeat: number): Place {
    const at = slot * WORDS;
    const parts = this.#parts;
    const whole = this.#whole;
    const { trials, confirmed } = into;
    const time = this.#origin + (whole[at + TIME] ?? 0) * PLACE_TICK;
    const age = Math.max(0, now - time);
    const isSame = age === 0 || this.#isEmpty(at);
    const inMinutes = isSame ? 1 : Math.exp(-age / MINUTES);
    const inHours = isSame ? 1 : Math.exp(-age / HOURS);
    const inDays = isSame ? 1 : Math.exp(-age / DAYS);
    into.slot = slot;
    into.time = Math.max(now, time);
    trials[0] = (parts[at + TRIALS] ?? 0) * inMinutes;
    trials[1] = (parts[at + TRIALS + 1] ?? 0) * inHours;
    trials[2] = (parts[at + TRIALS + 2] ?? 0) * inDays;
    confirmed[0] = (parts[at + CONFIRMED] ?? 0) * inMinutes;
    confirmed[1] = (parts[at + CONFIRMED + 1] ?? 0) * inHours;
    confirmed[2] = (parts[at + CONFIRMED + 2] ?? 0) * inDays;
    into.open = parts[at + OPEN] ?? 0;
    into.probedAt = this.#origin + (whole[at + PROBED] ?? 0) * PLACE_TICK;
    into.spacing = parts[at + SPACING] ?? 0;
    into.waiting = parts[at + WAITING] ?? 0;
    into.failures = (parts[at + FAILURES] ?? 0) * inDays;
    into.alarms = (parts[at + ALARMS] ?? 0) * inHours;
    into.bornAt = this.#origin + (whole[at + BORN] ?? 0) * PLACE_TICK;
    into.heat = parts[at + HEAT_WORD] ?? 0;
    if (into.heat === 0) return into;
    into.lot = this.#lotOf(slot);
    if (age > 0) into.heat = coolDown(into.heat, age, halfLifeOfHeat);
    return into;
  }

  write(place: Place): void {
    const at = place.slot * WORDS;
    const parts = this.#parts;
    const whole = this.#whole;
    const { trials, confirmed } = place;
    this.#changes += 1;
    this.#touched.mark(whole[at + KEY] ?? 0);
    whole[at + TIME] = this.#tick(place.time);
    parts[at + TRIALS] = trials[0];
    parts[at + TRIALS + 1] = trials[1];
    parts[at + TRIALS + 2] = trials[2];
    parts[at + CONFIRMED] = confirmed[0];
    parts[at + CONFIRMED + 1] = confirmed[1];
    parts[at + CONFIRMED + 2] = confirmed[2];
    parts[at + OPEN] = place.open;
    parts[at + HEAT_WORD] = place.heat;
    whole[at + PROBED] = this.#tick(place.probedAt);
    parts[at + SPACING] = place.spacing;
    parts[at + WAITING] = place.waiting;
    parts[at + FAILURES] = place.failures;
    parts[at + ALARMS] = place.alarms;
    whole[at + BORN] = this.#tick(place.bornAt);
  }

  /** The slots of the places that belong to a bucket. */
  slotsIn(bucket: number): number[] {
    return this.#index.rowsOf(bucket).filter((slot) => bucketOf(this.hashOf(slot)) === bucket);
  }

  /** Whether nothing was counted at a place yet that could fade: so it is at most, in the first seconds. */
  #isEmpty(at: number): boolean {
    const whole = this.#whole;
    const counts = (whole[at + TRIALS] ?? 0) | (whole[at + TRIALS + 1] ?? 0) | (whole[at + TRIALS + 2] ?? 0);
    const confirmed =
      (whole[at + CONFIRMED] ?? 0) | (whole[at + CONFIRMED + 1] ?? 0) | (whole[at + CONFIRMED + 2] ?? 0);
    return (counts | confirmed | (whole[at + FAILURES] ?? 0) | (whole[at + ALARMS] ?? 0)) === 0;
  }

  /** The place in its set for one that is new. */
  #wayFor(hash: number): number {
    let oldest = 0;
    let oldestUse = Number.POSITIVE_INFINITY;
    for (let way = 0; way < WAYS; way++) {
      const slot = this.#index.rowAt(hash, way);
      if (slot < 0) return way;
      const use = this.#lastUse(slot);
      if (use >= oldestUse) continue;
      oldestUse = use;
      oldest = way;
    }
    return oldest;
  }

  #lastUse(slot: number): number {
    const at = slot * WORDS;
    const closed = (this.#parts[at + HEAT_WORD] ?? 0) > 0;
    return (this.#whole[at + TIME] ?? 0) + (closed ? CLOSED_LASTS / PLACE_TICK : 0);
  }

  /** Where it is in its set does not depend on what came before elsewhere. */
  #lotOf(slot: number): number {
    const set = this.hashOf(slot) & (this.#index.sets - 1);
    return set * WAYS + (((this.#whole[slot * WORDS + MARKS] ?? 0) & BELOW_NOTE) >> WAY_SHIFT);
  }

  #tick(ms: number): number {
    return Math.max(0, Math.round((ms - this.#origin) / PLACE_TICK));
  }
}

/** Heat fades towards the point where the place opens, which it reaches after some half-lives. */
function coolDown(heat: number, age: number, halfLife: number): number {
  const cooled = heat * 2 ** (-age / halfLife);
  return cooled < HEAT.start / 8 ? 0 : cooled;
}
