/** What the guard remembers, and how it learns from what became of the codes. */
import type { Ask, Judgement, Sent, Tried } from './ask.ts';
import { heatUp, isClosed } from './closing.ts';
import { BUCKETS, Touched } from './memory/buckets.ts';
import { nameOf } from './memory/hash.ts';
import { NumberChanges } from './memory/number-changes.ts';
import { NumberTable } from './memory/number-table.ts';
import { Place, SCALES } from './memory/place-table.ts';
import { Places } from './memory/places.ts';
import { Usual } from './memory/usual.ts';
import { Wishes } from './memory/wishes.ts';
import {
  type BOUNDS,
  KINDS,
  NUMBER,
  PROVEN,
  STAGES,
  WRONG_CODE,
  WRONG_CODE_OF_ADDRESS,
} from './parameters.ts';
import {
  ACCOUNT,
  ACCOUNT_COUNTRY,
  DEVICE,
  KEY,
  type Names,
  NETWORK,
  PLACE_KINDS,
  RequestPlaces,
  UNPROVEN,
} from './request-places.ts';
import type { Share } from './sharing.ts';

/** Times are kept in tenths of a second: a place younger than a code by more than this took another's memory. */
const ROUNDING = 1_000;
const NUMBER_SALT = 99;
const NO_ACCOUNT = 0;
const NONE_TRIED: readonly Tried[] = [];

const KIND_OF = PLACE_KINDS.map((kind) => KINDS[kind]);

/** Wrong codes tell about who asks, not about the numbers that were asked for. */
const WRONG_CODE_AT: Readonly<Record<number, number>> = {
  [ACCOUNT_COUNTRY]: WRONG_CODE,
  [KEY]: WRONG_CODE,
  [NETWORK]: WRONG_CODE_OF_ADDRESS,
  [DEVICE]: WRONG_CODE_OF_ADDRESS,
};

export class Book {
  readonly usual = new Usual();
  readonly numbers: NumberTable;
  /** The places of the request that is looked at, by kind. */
  readonly views = PLACE_KINDS.map(() => new Place());
  readonly #places: Places;
  readonly #wishes: Wishes;
  readonly #numberChanges: NumberChanges | undefined;
  readonly #touched = new Touched();
  readonly #requestPlaces = new RequestPlaces();
  readonly #countries: string[] = [];
  readonly #one = new Place();
  readonly #slots = new Int32Array(PLACE_KINDS.length);
  #now: number;

  constructor(origin: number, bounds: typeof BOUNDS, shares: boolean) {
    this.#now = origin;
    this.#places = new Places({ capacity: bounds.places, origin }, this.#touched, shares);
    this.numbers = new NumberTable(bounds.numbers, origin, this.#touched);
    this.#wishes = new Wishes(bounds.open);
    this.#numberChanges = shares ? new NumberChanges() : undefined;
  }

  /** Lets time pass: judges the codes that are due by then. */
  advance(at: number): number {
    this.#now = Math.max(this.#now, at);
    for (const stage of SCALES) while (this.#judgeNext(stage, this.#now)) {}
    return this.#now;
  }

  /** Reads all places of a request into `views`; those that are not kept are as new. */
  lookAt(ask: Ask): { readonly number: number; readonly account: number } {
    const names = this.#requestPlaces.resolve(ask);
    for (const [kind, view] of this.views.entries()) {
      const slot = this.#places.find(names[kind]);
      if (slot >= 0) this.#read(kind, slot, view);
      else view.clear(this.#now);
    }
    const { a, b } = nameOf(NUMBER_SALT, ask.number);
    return { number: this.numbers.find(a, b), account: names[ACCOUNT]?.b ?? NO_ACCOUNT };
  }

  /** Keeps a view that was changed. */
  keep(kind: number, view: Place, added: { readonly alarms?: number; readonly trials?: number } = {}): void {
    this.#places.keep(kind, view, added);
  }

  /** Somebody waits before the closed places of these kinds, and, if it is bombed, for codes to a number. */
  refused(ask: Ask, closed: readonly number[], isBombed: boolean): void {
    const names = this.#requestPlaces.resolve(ask);
    for (const kind of closed) this.#places.wait(kind, names[kind], this.#now);
    if (!isBombed) return;
    const { a, b } = nameOf(NUMBER_SALT, ask.number);
    const number = this.numbers.find(a, b);
    if (number < 0) return;
    this.numbers.disown(number);
    this.#noteNumber(number, 0);
  }

  sent(ask: Ask, judgement: Judgement): Sent {
    const names = this.#requestPlaces.resolve(ask);
    const { a, b } = nameOf(NUMBER_SALT, ask.number);
    const number = this.numbers.claim(a, b);
    const isRepeat = this.numbers.isRepeat(number, this.#now);
    this.numbers.ask(number, names[ACCOUNT]?.b ?? NO_ACCOUNT, this.#now);
    const isProbe = judgement.allow && judgement.probe;
    const tried = isProbe
      ? judgement.closed.flatMap((kind) => this.#places.tryClosed(kind, names[kind], this.#now) ?? [])
      : NONE_TRIED;
    if (isRepeat) {
      this.#noteNumber(number, 1);
      const weight = this.#countRepeat(names, number);
      const taught = judgement.allow ? weight * judgement.teaching : 0;
      if (taught > 0) this.usual.learnTrial(ask.country, taught);
      return { at: this.#now, number, tag: b, ticket: undefined, weight, taught, tried };
    }
    if (this.#wishes.isFull()) for (const stage of SCALES) this.#judgeNext(stage, Number.POSITIVE_INFINITY);
    const places = this.#slots.fill(-1);
    const isUnproven = this.#isUnproven(names);
    for (const [kind, name] of names.entries()) {
      if (name === undefined || (kind === UNPROVEN && !isUnproven)) continue;
      const slot = this.#places.claim(name, kind, this.#now);
      const view = this.#read(kind, slot, this.#one);
      // What a probe shows is told of what it probes.
      if (isProbe && kind < NETWORK && !isClosed(view)) continue;
      places[kind] = slot;
      view.open += 1;
      this.#places.write(view);
    }
    const ticket = this.#wishes.add({
      at: this.#now,
      places,
      country: this.#countryIndex(ask.country),
      shares: [this.usual.shareBy(ask.country, 0), this.usual.shareBy(ask.country, 1)],
      probe: isProbe,
      teaching: judgement.allow ? judgement.teaching : 0,
    });
    this.numbers.openWish(number, ticket, this.#now);
    this.#noteNumber(number, 1);
    return { at: this.#now, number, tag: b, ticket, weight: 0, taught: 0, tried };
  }

  takeBack(ask: Ask, { at, ticket, weight, taught, tried }: Sent): void {
    const { a, b } = nameOf(NUMBER_SALT, ask.number);
    const number = this.numbers.find(a, b);
    if (number >= 0) {
      this.numbers.takeBack(number, ticket, this.#now);
      this.#noteNumber(number, -1);
    }
    if (taught > 0) this.usual.learnTrial(ask.country, -taught);
    const names = this.#requestPlaces.resolve(ask);
    for (const before of tried) this.#places.takeBackProbe(before, names[before.kind], this.#now);
    if (ticket === undefined) {
      for (const [kind, name] of names.entries()) {
        const slot = this.#places.find(name);
        if (slot >= 0) this.#places.takeTrials(kind, slot, weight, at, this.#now);
      }
      return;
    }
    const stage = this.#wishes.stageOf(ticket);
    if (stage === undefined) return;
    for (const [kind, { wide }] of KIND_OF.entries()) {
      const slot = this.#placeOf(ticket, kind);
      if (slot < 0) continue;
      const counted = wide ? 0 : this.#wishes.shareBy(ticket, stage);
      const view = this.#read(kind, slot, this.#one);
      view.open = Math.max(0, view.open - (1 - counted));
      this.#places.write(view);
      if (counted > 0) this.#places.takeTrials(kind, slot, counted, at + STAGES[0], this.#now);
    }
    this.#wishes.cancel(ticket);
  }

  confirmed(ask: Ask, isEvidence: boolean): void {
    const { a, b } = nameOf(NUMBER_SALT, ask.number);
    const number = this.numbers.claim(a, b);
    const ticket = this.numbers.wishOf(number);
    const isAgain = ticket === undefined && this.numbers.isKnown(number, this.#now);
    this.numbers.confirm(number, this.#now);
    this.#noteNumber(number, undefined);
    if (isAgain) return;
    const stage = ticket === undefined ? undefined : this.#wishes.stageOf(ticket);
    if (ticket !== undefined && stage !== undefined) {
      this.#confirmWish(ticket, stage, this.#now, 1);
      return;
    }
    if (!isEvidence) return;
    // Sent long ago or by another node, which counts the trial and may not have told of the place yet.
    for (const [kind, name] of this.#requestPlaces.resolve(ask).entries()) {
      if (name === undefined) continue;
      const slot = kind === UNPROVEN ? this.#places.find(name) : this.#places.claim(name, kind, this.#now);
      if (slot >= 0) this.#places.confirm(kind, slot, 0, 1, this.#now);
    }
  }

  mismatched(ask: Ask): void {
    for (const [kind, name] of this.#requestPlaces.resolve(ask).entries()) {
      const weight = WRONG_CODE_AT[kind];
      if (name === undefined || weight === undefined) continue;
      // Nothing may have been sent from there yet: codes are guessed that others asked for.
      this.#places.addTrials(kind, this.#places.claim(name, kind, this.#now), weight, this.#now);
    }
  }

  /** How many places of each kind are closed. */
  closed(): readonly number[] {
    return this.#places.closed(this.#now);
  }

  /** What changed since it was last taken. */
  takeChanges(): Share {
    return {
      places: this.#places.takeChanges(),
      numbers: this.#numberChanges?.take() ?? [],
      usual: this.usual.takeChanges(),
    };
  }

  /** The buckets in which anything changed since they were last taken. */
  takeTouched(): number[] {
    return this.#touched.take();
  }

  /** All that is known, in one bucket or in all. What is usual belongs to none. */
  snapshot(bucket?: number): Share {
    const buckets = bucket === undefined ? Array.from({ length: BUCKETS }, (_, index) => index) : [bucket];
    const places = this.#places.snapshot(buckets, this.#now);
    const numbers = buckets.flatMap((each) =>
      Array.from(this.numbers.slots(each, this.#now), (slot) => this.numbers.shareOf(slot)),
    );
    return { places, numbers, usual: bucket === undefined ? this.usual.snapshot() : [] };
  }

  absorb({ places, numbers, usual }: Share): void {
    for (const share of numbers) {
      const ticket = this.numbers.absorb(share, this.#now);
      const stage = ticket === undefined ? undefined : this.#wishes.stageOf(ticket);
      // Where it was confirmed its places count it, and tell.
      if (ticket !== undefined && stage !== undefined) this.#confirmWish(ticket, stage, share.confirmedAt, 0);
    }
    this.#places.absorb(places, this.#now);
    this.usual.absorb(usual);
  }

  #countRepeat(names: Names, number: number): number {
    const weight = NUMBER.repeatCounts ** Math.max(1, this.numbers.unconfirmed(number, this.#now) - 1);
    for (const [kind, name] of names.entries()) {
      const slot = this.#places.find(name);
      if (slot >= 0) this.#places.addTrials(kind, slot, weight, this.#now);
    }
    return weight;
  }

  /** Judges the next code that is due at a stage. */
  #judgeNext(stage: 0 | 1 | 2, now: number): boolean {
    const wishes = this.#wishes;
    const ticket = wishes.takeDue(stage, now);
    if (ticket === undefined) return false;
    const isConfirmed = wishes.isConfirmed(ticket);
    const share = wishes.shareBy(ticket, stage + 1) - wishes.shareBy(ticket, stage);
    for (const [kind, { wide }] of KIND_OF.entries()) {
      const slot = this.#placeOf(ticket, kind);
      if (slot < 0 || (wide && stage < 2)) continue;
      const weight = wide ? 1 : share;
      const view = this.#read(kind, slot, this.#one);
      for (const scale of SCALES) view.trials[scale] += weight;
      const isHot = !isConfirmed && isClosed(view);
      if (!isConfirmed) view.open = Math.max(0, view.open - weight);
      if (isHot) heatUp(view, weight, wishes.isProbe(ticket));
      this.#places.tell(kind, view, { trials: weight }, isHot);
    }
    const teaches = wishes.teaches(ticket);
    if (stage === 2 && teaches > 0) {
      this.usual.learnTrial(this.#countries[wishes.country(ticket)] ?? '', teaches);
    }
    return true;
  }

  /** `counts` is 0 if another node counts it at the places. */
  #confirmWish(ticket: number, stage: 0 | 1 | 2, at: number, counts: 0 | 1): void {
    const wishes = this.#wishes;
    if (wishes.isConfirmed(ticket)) return;
    wishes.confirm(ticket);
    const weight = wishes.teaches(ticket);
    const country = this.#countries[wishes.country(ticket)] ?? '';
    if (weight > 0) this.usual.learnConfirmed(country, at - wishes.at(ticket), weight);
    for (const [kind, { wide }] of KIND_OF.entries()) {
      const slot = this.#placeOf(ticket, kind);
      if (slot < 0) continue;
      const rest = wide ? 1 : 1 - wishes.shareBy(ticket, stage);
      this.#places.confirm(kind, slot, rest, counts, this.#now);
    }
  }

  /** `added` codes were sent to it, or, if undefined, one was confirmed. */
  #noteNumber(number: number, added: number | undefined): void {
    this.#numberChanges?.note(number, this.numbers.shareOf(number), added);
  }

  #isUnproven(names: Names): boolean {
    const slot = this.#places.find(names[ACCOUNT_COUNTRY]);
    return slot < 0 || this.#read(ACCOUNT_COUNTRY, slot, this.#one).confirmed[2] < PROVEN / 2;
  }

  /** -1 if the place made room for another since. */
  #placeOf(ticket: number, kind: number): number {
    const slot = this.#wishes.place(ticket, kind);
    return slot >= 0 && this.#places.bornAt(slot) > this.#wishes.at(ticket) + ROUNDING ? -1 : slot;
  }

  #read(kind: number, slot: number, into: Place): Place {
    return this.#places.read(kind, slot, this.#now, into);
  }

  #countryIndex(country: string): number {
    const index = this.#countries.indexOf(country);
    return index >= 0 ? index : this.#countries.push(country) - 1;
  }
}
