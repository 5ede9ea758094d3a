/**
 * Codes that clients bring, and that may be confirmed elsewhere: how many of late went to new numbers of each range, and to the
 * country. They are counted apart from all others, so that they make nobody else suspect, and vouch for nobody: places and numbers
 * have names of their own here.
 */
import type { Ask, Refused, SentRequest } from './ask.ts';
import { mix, nameOf } from './memory/hash.ts';
import { ELSEWHERE, type NumberTable } from './memory/number-table.ts';
import { Place, SCALES, type Scale } from './memory/place.ts';
import type { PlaceMemory } from './memory/place-memory.ts';
import { BROUGHT, CROWDED, KINDS, NUMBER, ROOM_PER_CONFIRMATION } from './parameters.ts';
import {
  COUNTRY,
  labelOf,
  PLACE_KINDS,
  type PlaceNames,
  RANGE3,
  RANGE4,
  RANGE5,
  RANGE6,
} from './request-places.ts';

const NUMBER_SALT = 98;
const PLACE_SALT = 0x68_6f_6f_6b;
/** A number that nothing was sent to yet has no slot. */
const NONE = -1;
const MEMORIES = ['minutes', 'hours', 'days'] as const;

interface Crowd {
  readonly kind: number;
  /** Honest codes are spread over the blocks of this. */
  readonly wider: number;
  /** No more of them go to one block. */
  readonly share: number;
  /** Numbers have so many digits at least, with the plus sign: there are many such blocks then. */
  readonly shortest: number;
}

const { share, shortest } = CROWDED;
const { much, nearlyAll, shortestOfMillions } = BROUGHT;
const CROWDS: readonly Crowd[] = [
  { kind: RANGE3, wider: RANGE4, share, shortest: 0 },
  { kind: RANGE4, wider: RANGE5, share, shortest: 0 },
  { kind: RANGE5, wider: COUNTRY, share: much, shortest },
  { kind: RANGE6, wider: COUNTRY, share: nearlyAll, shortest: shortestOfMillions },
];
const COUNTED = [RANGE3, RANGE4, RANGE5, RANGE6, COUNTRY];

/** What the book offers. */
interface Kept {
  readonly places: PlaceMemory;
  readonly numbers: NumberTable;
}

export class CustomCodes {
  readonly #kept: Kept;
  /** Of the request that was asked about last. */
  readonly #names = {
    hashes: new Uint32Array(PLACE_KINDS.length),
    tags: new Uint32Array(PLACE_KINDS.length),
  };
  #asked: Ask | undefined;
  readonly #block = new Place();
  readonly #around = new Place();

  constructor(kept: Kept) {
    this.#kept = kept;
  }

  /** A range is past its room, and most of what is asked for around it is asked for there. `views` are what was confirmed there. */
  judge(ask: Ask, names: PlaceNames, views: readonly Place[], now: number): Refused | undefined {
    const isReturning = this.#weigh(this.#find(ask), now) === BROUGHT.returning;
    const own = this.#own(ask, names);
    for (const { kind, wider, share, shortest } of CROWDS) {
      if (ask.destination.length < shortest) continue;
      const block = this.#sentTo(own, kind, now, this.#block);
      const around = this.#sentTo(own, wider, now, this.#around);
      for (const scale of SCALES) {
        if (scale === 2 && isReturning) continue;
        const sent = block[scale];
        if (sent <= roomOf(kind, scale, views) - 0.5 || sent <= share * around[scale]) continue;
        const detail = `${labelOf(kind, ask)}: ${Math.round(sent)} codes in ${MEMORIES[scale]} that others judge`;
        return { allow: false, closed: [], rule: `room:${PLACE_KINDS[kind]}`, detail };
      }
    }
    return undefined;
  }

  sent(ask: Ask, names: PlaceNames, account: number, now: number): SentRequest {
    const { numbers, places } = this.#kept;
    const { a, b } = nameOf(NUMBER_SALT, ask.number);
    const number = numbers.claim(a, b);
    const weight = this.#weigh(number, now);
    const isOwn = numbers.ask(number, account, now);
    const before = numbers.repeatsOf(number);
    const isNew = weight === BROUGHT.first;
    if (isNew) numbers.openWish(number, ELSEWHERE, now);
    // What a confirmation settles: of tries within an hour all, of a returning number the last.
    const repeats = weight - (weight === BROUGHT.returning ? before : 0);
    numbers.addRepeat(number, repeats);
    this.#kept.numbers.note(number, { unconfirmed: 1, repeats });
    const own = this.#own(ask, names);
    for (const kind of COUNTED) {
      const slot = places.claim(own, kind, now);
      if (slot >= 0) places.addTrials(kind, slot, weight, now);
    }
    const ticket = isNew ? ELSEWHERE : undefined;
    return { at: now, number, tag: b, isOwn, ticket, weight, taught: 0, tried: [] };
  }

  /** It was not sent after all. */
  takeBack(ask: Ask, names: PlaceNames, { at, isOwn, ticket, weight }: SentRequest, now: number): void {
    const number = this.#find(ask);
    if (number !== NONE) {
      this.#kept.numbers.takeBack(number, { ticket, isOwn }, now);
      this.#kept.numbers.addRepeat(number, -weight);
      this.#kept.numbers.note(number, { unconfirmed: -1, repeats: -weight });
    }
    this.#take(this.#own(ask, names), weight, at, now);
  }

  /** It was confirmed here after all: what it counted is settled. */
  settle(ask: Ask, names: PlaceNames, now: number): void {
    const number = this.#find(ask);
    if (number === NONE) return;
    const repeats = this.#kept.numbers.repeatsOf(number);
    const askedAt = this.#kept.numbers.askedAt(number);
    if (repeats === 0) return;
    this.#kept.numbers.addRepeat(number, -repeats);
    this.#kept.numbers.note(number, { repeats: -repeats });
    this.#take(this.#own(ask, names), repeats, askedAt, now);
  }

  #take(names: PlaceNames, weight: number, at: number, now: number): void {
    for (const kind of COUNTED) {
      const slot = this.#kept.places.find(names, kind);
      if (slot >= 0) this.#kept.places.takeTrials(kind, slot, weight, at, now);
    }
  }

  /** How much a code counts: a new number wholly, its repeats half, and one that comes back next to nothing. */
  #weigh(number: number, now: number): number {
    const since = number === NONE ? 0 : this.#kept.numbers.wishedAt(number);
    if (since === 0) return BROUGHT.first;
    return now - since < BROUGHT.sameTryFor ? NUMBER.repeatCounts : BROUGHT.returning;
  }

  #find({ number }: Ask): number {
    const { a, b } = nameOf(NUMBER_SALT, number);
    return this.#kept.numbers.find(a, b);
  }

  #sentTo(names: PlaceNames, kind: number, now: number, into: Place): Place['trials'] {
    const slot = this.#kept.places.find(names, kind);
    if (slot < 0) into.clear(now);
    else this.#kept.places.read(kind, slot, now, into);
    return into.trials;
  }

  /** Other names of the same places, for what is counted here. */
  #own(ask: Ask, names: PlaceNames): PlaceNames {
    if (ask === this.#asked) return this.#names;
    const { hashes, tags } = names;
    this.#asked = ask;
    for (const kind of COUNTED) {
      const tag = tags[kind] ?? 0;
      this.#names.hashes[kind] = mix((hashes[kind] ?? 0) ^ PLACE_SALT);
      this.#names.tags[kind] = tag === 0 ? 0 : mix(tag ^ PLACE_SALT) || 1;
    }
    return this.#names;
  }
}

/** A few for the first, and more where codes that are judged here are confirmed. */
function roomOf(kind: number, scale: Scale, views: readonly Place[]): number {
  const room = KINDS[PLACE_KINDS[kind] ?? 'range3'].room * BROUGHT.rooms[scale];
  return room + ROOM_PER_CONFIRMATION * (views[kind]?.confirmed[scale] ?? 0);
}
