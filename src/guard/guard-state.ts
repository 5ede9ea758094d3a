/** What the guard remembers, and how it learns from what became of the codes. */
import type { GivenVerdict } from '../core/guarding/verdict.ts';
import type { Ask, GuardJudgement, Refused, SentRequest, Tried } from './ask.ts';
import { isClosed } from './closing.ts';
import { CustomCodes } from './custom-codes.ts';
import { unconfirmedAt } from './evidence.ts';
import { Baseline } from './memory/baseline.ts';
import { BUCKETS, Touched } from './memory/buckets.ts';
import { NumberShare } from './memory/number-shares.ts';
import { NumberTable } from './memory/number-table.ts';
import { Place } from './memory/place.ts';
import { PlaceMemory } from './memory/place-memory.ts';
import { OpenCodes } from './open-codes.ts';
import {
  type Bounds,
  KINDS,
  NUMBER,
  PROVEN,
  STAGES,
  WRONG_CODE,
  WRONG_CODE_OF_ADDRESS,
} from './parameters.ts';
import {
  ACCOUNT_COUNTRY,
  DEVICE,
  KEY,
  NETWORK,
  PLACE_KINDS,
  RequestPlaces,
  UNPROVEN,
} from './request-places.ts';
import type { Share } from './sharing.ts';

const ALL_BUCKETS = Array.from({ length: BUCKETS }, (_, bucket) => bucket);
const ALL_KINDS = PLACE_KINDS.length;
const IS_WIDE = PLACE_KINDS.map((kind) => KINDS[kind].wide);
const NONE_TRIED: readonly Tried[] = [];

/** Wrong codes tell about who asks, not about the numbers that were asked for. */
const WRONG_CODE_AT: Readonly<Record<number, number>> = {
  [ACCOUNT_COUNTRY]: WRONG_CODE,
  [KEY]: WRONG_CODE,
  [NETWORK]: WRONG_CODE_OF_ADDRESS,
  [DEVICE]: WRONG_CODE_OF_ADDRESS,
};

/** Where nobody but the account itself is judged, and no key for another. */
const OWN_PLACES = [ACCOUNT_COUNTRY, DEVICE];

export class GuardState {
  readonly baseline = new Baseline();
  readonly numbers: NumberTable;
  /** The places of the request that is looked at, by kind. */
  readonly views = PLACE_KINDS.map(() => new Place());
  readonly #places: PlaceMemory;
  readonly #open: OpenCodes;
  readonly #brought: CustomCodes;
  readonly #touched = new Touched();
  readonly #requestPlaces = new RequestPlaces();
  readonly #one = new Place();
  readonly #share = new NumberShare();
  readonly #slots = new Int32Array(ALL_KINDS);
  /** Whose places `views` are, as of when, and after how many changes. */
  #looked: Ask | undefined;
  #lookedAt = 0;
  #lookedAfter = 0;
  #now: number;

  constructor(origin: number, bounds: Bounds, shares: boolean) {
    this.#now = origin;
    this.#places = new PlaceMemory({ capacity: bounds.places, origin }, this.#touched, shares);
    this.numbers = new NumberTable(bounds.numbers, origin, this.#touched, shares);
    this.#open = new OpenCodes(this.#places, this.baseline, bounds.open);
    this.#brought = new CustomCodes({ places: this.#places, numbers: this.numbers });
  }

  /** Lets time pass: judges the codes that are due by then. */
  advance(at: number): number {
    this.#now = Math.max(this.#now, at);
    this.#open.judgeDue(this.#now);
    return this.#now;
  }

  /** Reads all places of a request into `views`; those that are not kept are as new. */
  lookAt(ask: Ask): { readonly number: number; readonly account: number } {
    const names = this.#requestPlaces.resolve(ask);
    this.#readViews(ask, names);
    return { number: this.numbers.find(names.numberHash, names.numberTag), account: names.account };
  }

  /** Keeps a view that was changed. */
  keep(kind: number, view: Place, alarms = 0): void {
    this.#places.keep(kind, view, alarms);
  }

  /** Somebody waits before the closed places of these kinds, and, if it is bombed, for codes to a number. */
  refused(ask: Ask, closed: readonly number[], isBombed: boolean): void {
    const names = this.#requestPlaces.resolve(ask);
    for (const kind of closed) this.#places.wait(kind, names, this.#now);
    if (!isBombed) return;
    const number = this.numbers.find(names.numberHash, names.numberTag);
    if (number < 0) return;
    this.numbers.disown(number);
    this.numbers.note(number, {});
  }

  sent(ask: Ask, judgement: GuardJudgement): SentRequest {
    const names = this.#requestPlaces.resolve(ask);
    const { numberTag: tag, account } = names;
    const number = this.numbers.claim(names.numberHash, tag);
    const isRepeat = this.numbers.isRepeat(number, this.#now);
    const isOwn = this.numbers.ask(number, account, this.#now);
    const counted = isOwn ? { own: 1 } : { unconfirmed: 1 };
    const isProbe = judgement.allow && judgement.probe;
    const tried = isProbe
      ? judgement.closed.flatMap((kind) => this.#places.tryClosed(kind, names, this.#now) ?? [])
      : NONE_TRIED;
    if (isRepeat) {
      const weight = this.#countRepeat(names, number, account);
      this.numbers.note(number, { ...counted, repeats: weight });
      const taught = judgement.allow ? weight * judgement.teaching : 0;
      if (taught > 0) this.baseline.learnTrial(ask.country, taught);
      return { at: this.#now, number, tag, isOwn, ticket: undefined, weight, taught, tried };
    }
    const again = this.numbers.isAgain(number, this.#now);
    const teaching = judgement.allow ? judgement.teaching : 0;
    const { views } = this;
    const { country } = ask;
    this.#readViews(ask, names);
    const unproven = (views[ACCOUNT_COUNTRY]?.confirmed[2] ?? 0) < PROVEN / 2;
    this.#open.makeRoom(this.#now);
    this.#readViews(ask, names);
    const code = { names, views, country, unproven, probe: isProbe, again, teaching };
    const ticket = this.#open.open(code, this.#now);
    this.numbers.openWish(number, ticket, this.#now);
    this.numbers.note(number, counted);
    return { at: this.#now, number, tag, isOwn, ticket, weight: 0, taught: 0, tried };
  }

  takeBack(ask: Ask, { at, isOwn, ticket, weight, taught, tried }: SentRequest): void {
    const names = this.#requestPlaces.resolve(ask);
    const number = this.numbers.find(names.numberHash, names.numberTag);
    if (number >= 0) {
      this.numbers.takeBack(number, { ticket, isOwn }, this.#now);
      this.numbers.addRepeat(number, -weight);
      this.numbers.note(number, { ...(isOwn ? { own: -1 } : { unconfirmed: -1 }), repeats: -weight });
    }
    if (taught > 0) this.baseline.learnTrial(ask.country, -taught);
    for (const before of tried) this.#places.takeBackProbe(before, names, this.#now);
    if (ticket === undefined) {
      for (let kind = 0; kind < ALL_KINDS; kind++) {
        const slot = this.#places.find(names, kind);
        if (slot >= 0) this.#places.takeTrials(kind, slot, weight, at, this.#now);
      }
      return;
    }
    this.#open.cancel(ticket, this.#now);
  }

  /** Judges a code that the client brings, by the views of its places and by others of its kind. */
  judgeBrought(ask: Ask): Refused | undefined {
    return this.#brought.judge(ask, this.#requestPlaces.resolve(ask), this.views, this.#now);
  }

  sentBrought(ask: Ask): SentRequest {
    const names = this.#requestPlaces.resolve(ask);
    return this.#brought.sent(ask, names, names.account, this.#now);
  }

  takeBackBrought(ask: Ask, sent: SentRequest): void {
    this.#brought.takeBack(ask, this.#requestPlaces.resolve(ask), sent, this.#now);
  }

  confirmed(ask: Ask, isEvidence: boolean): void {
    const names = this.#requestPlaces.resolve(ask);
    const { account } = names;
    if (!isEvidence) this.#brought.settle(ask, names, this.#now);
    const number = this.numbers.claim(names.numberHash, names.numberTag);
    const ticket = this.numbers.wishOf(number);
    const wishedAt = this.numbers.wishedAt(number);
    const isAgain = this.numbers.isAgain(number, ticket === undefined ? this.#now : wishedAt);
    const isKnown = this.numbers.isKnown(number, account, this.#now);
    const repeat = ticket === undefined ? this.numbers.settleRepeat(number) : undefined;
    const confirmed = this.numbers.confirm(number, account, this.#now);
    this.numbers.note(number, { confirmed, repeats: -(repeat?.weight ?? 0) });
    if (repeat !== undefined && (isAgain || isKnown)) {
      this.#settle(ask, repeat.weight, () => repeat.at);
      return;
    }
    if (ticket !== undefined && this.#open.confirm(ticket, this.#now, 1, this.#now)) return;
    if (isAgain) {
      // If it is still open where it was sent, it is settled there.
      if (this.#now - wishedAt < STAGES[2]) return;
      this.#settle(ask, NUMBER.repeatCounts, (wide) => wishedAt + STAGES[wide ? 2 : 1]);
      return;
    }
    if (!isEvidence) return;
    // Sent long ago or by another node, which counts the trial and may not have told of the place yet.
    for (let kind = 0; kind < ALL_KINDS; kind++) {
      const mayBeNew = kind !== UNPROVEN;
      const slot = mayBeNew ? this.#places.claim(names, kind, this.#now) : this.#places.find(names, kind);
      if (slot >= 0) this.#places.confirm(kind, slot, 0, 1, this.#now);
    }
  }

  mismatched(ask: Ask): void {
    const names = this.#requestPlaces.resolve(ask);
    for (let kind = 0; kind < ALL_KINDS; kind++) {
      const weight = WRONG_CODE_AT[kind];
      if (weight === undefined) continue;
      // Nothing may have been sent from there yet: codes are guessed that others asked for.
      const slot = this.#places.claim(names, kind, this.#now);
      if (slot >= 0) this.#places.addTrials(kind, slot, weight, this.#now);
    }
  }

  /**
   * Whether a code of the account may be excused that was not confirmed: in a country that is open and where people confirm for it, and
   * only of silence that counts there.
   */
  mayExcuse(ask: Ask): boolean {
    this.lookAt(ask);
    const country = this.views[ACCOUNT_COUNTRY] ?? this.#one;
    const isProven = country.slot >= 0 && country.confirmed[2] >= PROVEN;
    return isProven && !isClosed(country) && unconfirmedAt(country, 2) >= 1;
  }

  /**
   * A verdict counts where only its account is judged: others must not be closed, nor opened, by what it says. Fraud takes back what its
   * confirmation counted, and who is good what their silence did, as they have faded since.
   */
  judged(ask: Ask, createdAt: number, { weight }: GivenVerdict, does: 'says' | 'takes back'): void {
    if (weight === 0) return;
    const names = this.#requestPlaces.resolve(ask);
    const count = does === 'says' ? 1 : -1;
    for (const kind of OWN_PLACES) {
      const slot = this.#places.find(names, kind);
      if (slot < 0) continue;
      if (weight > 0) this.#places.takeConfirmed(kind, slot, count, createdAt, this.#now);
      else this.#places.takeTrials(kind, slot, count, Math.min(this.#now, createdAt + STAGES[2]), this.#now);
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
      numbers: this.numbers.takeChanges(),
      baseline: this.baseline.takeChanges(),
    };
  }

  /** The buckets in which anything changed since they were last taken. */
  takeTouched(): number[] {
    return this.#touched.take();
  }

  /** All that is known, in one bucket or in all. What is usual belongs to none. */
  snapshot(bucket?: number): Share {
    const buckets = bucket === undefined ? ALL_BUCKETS : [bucket];
    return {
      places: this.#places.snapshot(buckets, this.#now),
      numbers: this.numbers.snapshot(buckets, this.#now),
      baseline: bucket === undefined ? this.baseline.snapshot() : [],
    };
  }

  absorb({ places, numbers, baseline }: Share): void {
    for (let index = 0; index < numbers.length; index++) {
      const share = numbers.read(index, this.#share);
      const ticket = this.numbers.absorb(share, this.#now);
      // Where it was confirmed its places count it, and tell.
      if (ticket !== undefined) this.#open.confirm(ticket, share.confirmedAt, 0, this.#now);
    }
    this.#places.absorb(places, this.#now);
    this.baseline.absorb(baseline);
  }

  /** Takes back what a code counted at its places, which was confirmed after another of the same intent, or soon after it. */
  #settle(ask: Ask, weight: number, countedAt: (wide: boolean) => number): void {
    if (weight === 0) return;
    const names = this.#requestPlaces.resolve(ask);
    for (let kind = 0; kind < ALL_KINDS; kind++) {
      const slot = this.#places.find(names, kind);
      const at = countedAt(IS_WIDE[kind] === true);
      if (slot >= 0) this.#places.takeTrials(kind, slot, weight, at, this.#now);
    }
  }

  #countRepeat(names: RequestPlaces, number: number, account: number): number {
    const unconfirmed = this.numbers.unconfirmed(number, account, this.#now);
    const weight = NUMBER.repeatCounts ** Math.max(1, unconfirmed - 1);
    for (let kind = 0; kind < ALL_KINDS; kind++) {
      const slot = this.#places.find(names, kind);
      if (slot >= 0) this.#places.addTrials(kind, slot, weight, this.#now);
    }
    this.numbers.addRepeat(number, weight);
    return weight;
  }

  /** A request that is judged and sent in one turn is read once. */
  #readViews(ask: Ask, names: RequestPlaces): void {
    const { changes } = this.#places;
    if (ask === this.#looked && this.#now === this.#lookedAt && changes === this.#lookedAfter) return;
    this.#looked = ask;
    this.#lookedAt = this.#now;
    this.#lookedAfter = changes;
    // All are looked for before any is read: the memory that they lie in is then waited for once.
    for (let kind = 0; kind < ALL_KINDS; kind++) this.#slots[kind] = this.#places.find(names, kind);
    for (let kind = 0; kind < ALL_KINDS; kind++) {
      const view = this.views[kind] ?? this.#one;
      const slot = this.#slots[kind] ?? -1;
      if (slot >= 0) this.#places.read(kind, slot, this.#now, view);
      else view.clear(this.#now);
    }
  }
}
