/** Codes that may yet be confirmed: what each counts at its places as its time passes, and what a confirmation makes of that. */
import { heatUp, isClosed } from './closing.ts';
import type { Baseline } from './memory/baseline.ts';
import { Intents } from './memory/intents.ts';
import { Place, SCALES, type Scale } from './memory/place.ts';
import { trialsOf } from './memory/place-changes.ts';
import type { PlaceMemory } from './memory/place-memory.ts';
import { KINDS, NUMBER, STAGES } from './parameters.ts';
import { NETWORK, PLACE_KINDS, type RequestPlaces, UNPROVEN } from './request-places.ts';

/** Times are kept in tenths of a second: a place younger than a code by more than this took another's memory. */
const ROUNDING = 1_000;
const ALL_KINDS = PLACE_KINDS.length;
const IS_WIDE = PLACE_KINDS.map((kind) => KINDS[kind].wide);

export interface OpenCode {
  readonly names: RequestPlaces;
  /** Its places as they are now, by kind. */
  readonly views: readonly Place[];
  readonly country: string;
  /** Whether nothing was confirmed in the country for the account. */
  readonly unproven: boolean;
  readonly probe: boolean;
  /** Of a number that confirmed a little while ago: see `Intent`. */
  readonly again: boolean;
  /** How much it teaches what is usual, from 0 to 1. */
  readonly teaching: number;
}

export class OpenCodes {
  readonly #places: PlaceMemory;
  readonly #baseline: Baseline;
  readonly #intents: Intents;
  readonly #countries: string[] = [];
  readonly #one = new Place();
  readonly #slots = new Int32Array(PLACE_KINDS.length);

  constructor(places: PlaceMemory, baseline: Baseline, most: number) {
    this.#places = places;
    this.#baseline = baseline;
    this.#intents = new Intents(most);
  }

  /**
   * Judges the codes that are due by then, each as of the time at which it was due: after a pause what it counts has faded as
   * much as what was confirmed.
   */
  judgeDue(now: number): void {
    for (;;) {
      const first = this.#intents.dueAt(0);
      const second = this.#intents.dueAt(1);
      const last = this.#intents.dueAt(2);
      const due = Math.min(first, second, last);
      if (due > now) return;
      const next = due === first ? 0 : due === second ? 1 : 2;
      this.#judgeNext(next, due);
    }
  }

  /** Makes room for one more code: the oldest is judged before its time. */
  makeRoom(now: number): void {
    if (!this.#intents.isFull()) return;
    for (const stage of SCALES) this.#judgeNext(stage, now);
  }

  /** Answers its ticket. */
  open({ names, views, country, unproven, probe, again, teaching }: OpenCode, now: number): number {
    const places = this.#slots.fill(-1);
    for (let kind = 0; kind < ALL_KINDS; kind++) {
      if (kind === UNPROVEN && !unproven) continue;
      const view = views[kind] ?? this.#one;
      let { slot } = view;
      // What is made for this code may have taken the place of what was read.
      if (!this.#places.isAt(slot, names, kind)) {
        slot = this.#places.claim(names, kind, now);
        if (slot < 0) continue;
        this.#places.read(kind, slot, now, view);
      }
      // What a probe shows is told of what it probes.
      if (probe && kind < NETWORK && !isClosed(view)) continue;
      places[kind] = slot;
      // Who confirmed a little while ago needs no room.
      if (again) continue;
      view.open += 1;
      this.#places.write(view);
    }
    return this.#intents.add({
      at: now,
      places,
      country: this.#countryIndex(country),
      soon: this.#baseline.shareBy(country, 0),
      later: this.#baseline.shareBy(country, 1),
      probe,
      again,
      teaching: teaching * (again ? NUMBER.repeatCounts : 1),
    });
  }

  /** It was confirmed. `counts` is 0 if another node counts it at the places. Answers false if it is not open any more. */
  confirm(ticket: number, at: number, counts: 0 | 1, now: number): boolean {
    const intents = this.#intents;
    const stage = intents.stageOf(ticket);
    if (stage === undefined) return false;
    if (intents.isConfirmed(ticket)) return true;
    intents.confirm(ticket);
    if (intents.isAgain(ticket)) {
      this.#takeCounted(ticket, stage, now);
      return true;
    }
    const weight = intents.teaches(ticket);
    const country = this.#countries[intents.country(ticket)] ?? '';
    if (weight > 0) this.#baseline.learnConfirmed(country, at - intents.at(ticket), weight);
    const places = this.#placesOf(ticket);
    for (let kind = 0; kind < ALL_KINDS; kind++) {
      const slot = places[kind] ?? -1;
      const rest = IS_WIDE[kind] ? 1 : 1 - intents.shareBy(ticket, stage);
      if (slot >= 0) this.#places.confirm(kind, slot, rest, counts, now);
    }
    return true;
  }

  /** It was not sent after all: it is open nowhere, and counts nowhere. */
  cancel(ticket: number, now: number): void {
    const stage = this.#intents.stageOf(ticket);
    if (stage === undefined) return;
    this.#takeCounted(ticket, stage, now);
    for (let kind = 0; kind < ALL_KINDS; kind++) {
      const slot = this.#intents.isAgain(ticket) ? -1 : this.#placeOf(ticket, kind);
      if (slot < 0) continue;
      const view = this.#places.read(kind, slot, now, this.#one);
      view.open = Math.max(0, view.open - (IS_WIDE[kind] ? 1 : 1 - this.#intents.shareBy(ticket, stage)));
      this.#places.write(view);
    }
    this.#intents.cancel(ticket);
  }

  /** Judges the next code of a stage, as of a time. */
  #judgeNext(stage: Scale, at: number): void {
    const intents = this.#intents;
    const ticket = intents.take(stage);
    if (ticket === undefined) return;
    const isConfirmed = intents.isConfirmed(ticket);
    const isAgain = intents.isAgain(ticket);
    // It vouches for nothing more, so neither does it count.
    if (isAgain && isConfirmed) return;
    const share = intents.shareBy(ticket, stage + 1) - intents.shareBy(ticket, stage);
    const places = this.#placesOf(ticket);
    for (let kind = 0; kind < ALL_KINDS; kind++) {
      const wide = IS_WIDE[kind];
      const slot = places[kind] ?? -1;
      if (slot < 0 || (wide && stage < 2)) continue;
      const weight = wide ? 1 : share;
      if (isAgain) {
        this.#places.addTrials(kind, slot, weight * NUMBER.repeatCounts, at);
        continue;
      }
      const view = this.#places.read(kind, slot, at, this.#one);
      view.addTrials(weight);
      const isHot = !isConfirmed && isClosed(view);
      if (!isConfirmed) view.open = Math.max(0, view.open - weight);
      if (isHot) heatUp(view, weight, intents.isProbe(ticket));
      this.#places.tell(kind, view, trialsOf(weight), isHot);
    }
    const teaches = intents.teaches(ticket);
    if (stage === 2 && teaches > 0) {
      this.#baseline.learnTrial(this.#countries[intents.country(ticket)] ?? '', teaches);
    }
  }

  /** Takes back what a code has counted by a stage, as if it had all been at the first. */
  #takeCounted(ticket: number, stage: 0 | 1 | 2, now: number): void {
    const intents = this.#intents;
    const weight = intents.shareBy(ticket, stage) * (intents.isAgain(ticket) ? NUMBER.repeatCounts : 1);
    if (weight === 0) return;
    for (let kind = 0; kind < ALL_KINDS; kind++) {
      const slot = IS_WIDE[kind] ? -1 : this.#placeOf(ticket, kind);
      if (slot >= 0) this.#places.takeTrials(kind, slot, weight, intents.at(ticket) + STAGES[0], now);
    }
  }

  /** By kind. All are looked for before any is read: the memory that they lie in is then waited for once. */
  #placesOf(ticket: number): Int32Array {
    for (let kind = 0; kind < ALL_KINDS; kind++) this.#slots[kind] = this.#placeOf(ticket, kind);
    return this.#slots;
  }

  /** -1 if the place made room for another since. */
  #placeOf(ticket: number, kind: number): number {
    const slot = this.#intents.place(ticket, kind);
    return slot >= 0 && this.#places.bornAt(slot) > this.#intents.at(ticket) + ROUNDING ? -1 : slot;
  }

  #countryIndex(country: string): number {
    const index = this.#countries.indexOf(country);
    return index >= 0 ? index : this.#countries.push(country) - 1;
  }
}
