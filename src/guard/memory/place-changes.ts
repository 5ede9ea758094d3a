/** What changed at places since it was last taken, for the other nodes: in blocks of memory, as much of it as changed. */
import { MOST_CHANGES } from '../parameters.ts';
import { type Place, SCALES } from './place.ts';
import { PlaceShare, PlaceShares } from './place-shares.ts';
import type { PlaceTable } from './place-table.ts';

const FIRST_ROWS = 2 ** 10;
const PARTS = 8;
const AT = 0;
const BORN = 1;
const TRIALS = 2;
const CONFIRMED = 3;
const ALARMS = 4;
/** Not a number, if it did not change. */
const HEAT = 5;
const SPACING = 6;
const FAILURES = 7;

const WORDS = 4;
const SLOT = 0;
const HASH = 1;
const TAG = 2;
const KIND = 3;

/** What was added at a place. All have the same form, because each code adds something at a dozen places. */
export interface Added {
  readonly trials: number;
  readonly confirmed: number;
  readonly alarms: number;
}

export const NOTHING: Added = { trials: 0, confirmed: 0, alarms: 0 };
export const ONE_CONFIRMED: Added = { trials: 0, confirmed: 1, alarms: 0 };

export function trialsOf(trials: number): Added {
  return { trials, confirmed: 0, alarms: 0 };
}

export class PlaceChanges {
  /** Notes beside a slot in which row it is. */
  readonly #places: PlaceTable;
  #words = new Uint32Array(FIRST_ROWS * WORDS);
  #parts = new Float64Array(FIRST_ROWS * PARTS);
  #length = 0;

  constructor(places: PlaceTable) {
    this.#places = places;
  }

  note(kind: number, place: Place, added: Added, isHeatChanged: boolean): void {
    const { slot } = place;
    const tag = this.#places.tagOf(slot);
    let row = this.#places.noteOf(slot);
    // What is noted beside a slot may be of what was taken since.
    const isNoted = row < this.#length && this.#words[row * WORDS + SLOT] === slot;
    if (!isNoted || this.#words[row * WORDS + TAG] !== tag) {
      if (this.#length >= MOST_CHANGES) return;
      row = this.#begin(isNoted ? row : this.#length++, slot, kind, tag);
    }
    const at = row * PARTS;
    const parts = this.#parts;
    parts[at + AT] = place.time;
    parts[at + BORN] = place.bornAt;
    parts[at + TRIALS] = (parts[at + TRIALS] ?? 0) + added.trials;
    parts[at + CONFIRMED] = (parts[at + CONFIRMED] ?? 0) + added.confirmed;
    parts[at + ALARMS] = (parts[at + ALARMS] ?? 0) + added.alarms;
    parts[at + SPACING] = place.spacing;
    parts[at + FAILURES] = place.failures;
    if (isHeatChanged) parts[at + HEAT] = place.heat;
  }

  take(): PlaceShares {
    const shares = PlaceShares.for(this.#length);
    const share = new PlaceShare();
    for (let row = 0; row < this.#length; row++) {
      this.#read(row, share);
      shares.add(share);
    }
    this.#length = 0;
    return shares;
  }

  #begin(row: number, slot: number, kind: number, tag: number): number {
    if (row * WORDS === this.#words.length) this.#grow();
    const at = row * WORDS;
    this.#words[at + SLOT] = slot;
    this.#words[at + HASH] = this.#places.hashOf(slot);
    this.#words[at + TAG] = tag;
    this.#words[at + KIND] = kind;
    this.#parts.fill(0, row * PARTS, (row + 1) * PARTS);
    this.#parts[row * PARTS + HEAT] = Number.NaN;
    this.#places.setNote(slot, row);
    return row;
  }

  #read(row: number, into: PlaceShare): void {
    const words = this.#words;
    const parts = this.#parts;
    const at = row * PARTS;
    const heat = parts[at + HEAT] ?? 0;
    into.kind = words[row * WORDS + KIND] ?? 0;
    into.hash = words[row * WORDS + HASH] ?? 0;
    into.tag = words[row * WORDS + TAG] ?? 0;
    into.at = parts[at + AT] ?? 0;
    into.bornAt = parts[at + BORN] ?? 0;
    for (const scale of SCALES) {
      into.trials[scale] = parts[at + TRIALS] ?? 0;
      into.confirmed[scale] = parts[at + CONFIRMED] ?? 0;
    }
    into.alarms = parts[at + ALARMS] ?? 0;
    into.heat = Number.isNaN(heat) ? undefined : heat;
    into.spacing = parts[at + SPACING] ?? 0;
    into.failures = parts[at + FAILURES] ?? 0;
  }

  #grow(): void {
    const words = new Uint32Array(this.#words.length * 2);
    const parts = new Float64Array(this.#parts.length * 2);
    words.set(this.#words);
    parts.set(this.#parts);
    this.#words = words;
    this.#parts = parts;
  }
}
