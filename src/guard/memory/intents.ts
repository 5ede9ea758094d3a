/**
 * Codes that were sent and may yet be confirmed, in the order in which they were sent, until each was judged at every
 * stage. A ring in one block of memory: all wait equally long for a stage, so a stage is a pointer that follows.
 */
import { STAGES } from '../parameters.ts';
import { PLACE_KINDS } from '../request-places.ts';

const WORDS = 16;
const FLAGS = 0;
const SHARES = 1;
const PLACES = 2;
const COUNTRY = PLACES + PLACE_KINDS.length;

const CONFIRMED = 1;
const PROBE = 2;
const AGAIN = 4;
/** In hundredths, above the flags. */
const TEACHING = 8;

export interface Intent {
  readonly at: number;
  /** The slots of its places, by kind; -1 where there is none. */
  readonly places: Int32Array;
  readonly country: number;
  /** The share of confirmations that comes by the first and second stage. */
  readonly soon: number;
  readonly later: number;
  readonly probe: boolean;
  /** Of a number that confirmed a little while ago: it counts as a repeat does, and only if it is not confirmed. */
  readonly again: boolean;
  /** How much it teaches what is usual, from 0 to 1. */
  readonly teaching: number;
}

export class Intents {
  #capacity = 2 ** 12;
  readonly #most: number;
  #words = new Int32Array(this.#capacity * WORDS);
  #times = new Float64Array(this.#capacity);
  #next = 0;
  /** The first intent that each stage has not judged yet. */
  readonly #judged: [number, number, number] = [0, 0, 0];

  constructor(most: number) {
    this.#most = most;
  }

  get open(): number {
    return this.#next - this.#judged[2];
  }

  /** Whether there is room; if not, the oldest has to be judged before its time. */
  isFull(): boolean {
    return this.open === this.#most;
  }

  /** A intent is read at once, and not kept. */
  add({ at, places, country, soon, later, probe, again, teaching }: Intent): number {
    if (this.open === this.#capacity) this.#grow();
    const ticket = this.#next++;
    const index = this.#index(ticket);
    const start = index * WORDS;
    this.#times[index] = at;
    const flags = (probe ? PROBE : 0) | (again ? AGAIN : 0);
    this.#words[start + FLAGS] = flags | (Math.round(teaching * 100) << TEACHING);
    this.#words[start + SHARES] = (Math.round(soon * 255) << 8) | Math.round(later * 255);
    this.#words[start + COUNTRY] = country;
    this.#words.set(places, start + PLACES);
    return ticket;
  }

  /** When the next intent is due at a stage; infinite if there is none. */
  dueAt(stage: 0 | 1 | 2): number {
    const ticket = this.#judged[stage];
    // No stage overtakes the one before.
    const end = stage === 0 ? this.#next : this.#judged[stage === 1 ? 0 : 1];
    return ticket >= end ? Number.POSITIVE_INFINITY : this.at(ticket) + STAGES[stage];
  }

  /** The next intent at a stage, which is then taken as judged there; undefined if there is none. */
  take(stage: 0 | 1 | 2): number | undefined {
    if (this.dueAt(stage) === Number.POSITIVE_INFINITY) return undefined;
    const ticket = this.#judged[stage];
    this.#judged[stage] = ticket + 1;
    return ticket;
  }

  /** How many stages have judged a intent; undefined if it is over or unknown. */
  stageOf(ticket: number): 0 | 1 | 2 | undefined {
    if (ticket < this.#judged[2] || ticket >= this.#next) return undefined;
    return ticket < this.#judged[1] ? 2 : ticket < this.#judged[0] ? 1 : 0;
  }

  at(ticket: number): number {
    return this.#times[this.#index(ticket)] ?? 0;
  }

  place(ticket: number, kind: number): number {
    return this.#words[this.#index(ticket) * WORDS + PLACES + kind] ?? -1;
  }

  country(ticket: number): number {
    return this.#words[this.#index(ticket) * WORDS + COUNTRY] ?? 0;
  }

  /** The share of confirmations that has come by so many stages. */
  shareBy(ticket: number, stages: number): number {
    if (stages === 0) return 0;
    if (stages >= 3) return 1;
    const shares = this.#words[this.#index(ticket) * WORDS + SHARES] ?? 0;
    return (stages === 1 ? shares >> 8 : shares & 255) / 255;
  }

  isAgain(ticket: number): boolean {
    return (this.#flags(ticket) & AGAIN) !== 0;
  }

  isProbe(ticket: number): boolean {
    return (this.#flags(ticket) & PROBE) !== 0;
  }

  isConfirmed(ticket: number): boolean {
    return (this.#flags(ticket) & CONFIRMED) !== 0;
  }

  teaches(ticket: number): number {
    return (this.#flags(ticket) >> TEACHING) / 100;
  }

  confirm(ticket: number): void {
    const at = this.#index(ticket) * WORDS + FLAGS;
    this.#words[at] = (this.#words[at] ?? 0) | CONFIRMED;
  }

  /** It never was: no place counts it, and it teaches nothing. */
  cancel(ticket: number): void {
    const start = this.#index(ticket) * WORDS;
    this.#words[start + FLAGS] = CONFIRMED;
    this.#words.fill(-1, start + PLACES, start + COUNTRY);
  }

  #flags(ticket: number): number {
    return this.#words[this.#index(ticket) * WORDS + FLAGS] ?? 0;
  }

  #index(ticket: number): number {
    return ticket & (this.#capacity - 1);
  }

  #grow(): void {
    const words = new Int32Array(this.#capacity * 2 * WORDS);
    const times = new Float64Array(this.#capacity * 2);
    for (let ticket = this.#judged[2]; ticket < this.#next; ticket++) {
      const from = this.#index(ticket);
      const to = ticket & (this.#capacity * 2 - 1);
      words.set(this.#words.subarray(from * WORDS, (from + 1) * WORDS), to * WORDS);
      times[to] = this.#times[from] ?? 0;
    }
    this.#capacity *= 2;
    this.#words = words;
    this.#times = times;
  }
}
