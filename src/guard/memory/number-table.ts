/**
 * What is known of numbers, by an opaque hash: which confirmed, which are asked for and never answer. Bounded: 36 bytes
 * each, in a full set the one asked for longest ago makes room. Nothing here gives a number back.
 */
import { NUMBER } from '../parameters.ts';
import { bucketOf, slotsOf, Touched } from './buckets.ts';
import type { NumberShare } from './number-changes.ts';
import { type Row, UnderWay } from './under-way.ts';

const WORDS = 9;
const WAYS = 4;
const TICK = 100;

/** No account's tag. */
const NOBODY = 0;
/** The ticket of a wish that another node opened, or this one before it was started again. */
const ELSEWHERE = 2 ** 32 - 1;
/** Less of an unconfirmed code than this is none. */
const TRACE = 0.1;

const TAG = 0;
const WISH_AT = 1;
const TICKET = 2;
const CONFIRMED_AT = 3;
const ACCOUNT = 4;
const UNCONFIRMED = 5;
const ASKED_AT = 6;
const KEY = 7;
const REPEATS = 8;

export class NumberTable {
  readonly #origin: number;
  readonly #sets: number;
  readonly #whole: Uint32Array;
  readonly #parts: Float32Array;
  readonly #touched: Touched;
  readonly #underWay = new UnderWay();

  constructor(capacity: number, origin: number, touched = new Touched()) {
    this.#origin = origin;
    this.#touched = touched;
    this.#sets = capacity / WAYS;
    this.#whole = new Uint32Array(capacity * WORDS);
    this.#parts = new Float32Array(this.#whole.buffer);
  }

  find(hash: number, tag: number): number {
    const start = (hash & (this.#sets - 1)) * WAYS;
    for (let slot = start; slot < start + WAYS; slot++)
      if (this.#whole[slot * WORDS + TAG] === tag) return slot;
    return -1;
  }

  claim(hash: number, tag: number): number {
    const found = this.find(hash, tag);
    if (found >= 0) return found;
    const start = (hash & (this.#sets - 1)) * WAYS;
    let oldest = start;
    for (let slot = start; slot < start + WAYS; slot++) {
      if (this.#lastUse(slot) < this.#lastUse(oldest)) oldest = slot;
    }
    this.#whole.fill(0, oldest * WORDS, (oldest + 1) * WORDS);
    this.#whole[oldest * WORDS + TAG] = tag;
    this.#whole[oldest * WORDS + KEY] = hash;
    this.#touched.mark(hash);
    return oldest;
  }

  /** Whether it confirmed, and nothing has been asked for in vain since. */
  isKnown(slot: number, now: number): boolean {
    const confirmedAt = this.#whole[slot * WORDS + CONFIRMED_AT] ?? 0;
    if (confirmedAt === 0 || now - this.#time(confirmedAt) > NUMBER.knownFor) return false;
    return this.unconfirmed(slot, now) < 1.5;
  }

  /** Codes sent since it last confirmed, faded. */
  unconfirmed(slot: number, now: number): number {
    const age = now - this.#time(this.#whole[slot * WORDS + ASKED_AT] ?? 0);
    return faded(this.#parts[slot * WORDS + UNCONFIRMED] ?? 0, age);
  }

  /**
   * Whether another account has a code open there, or left one unconfirmed of late: the longer ago, the more codes there
   * were.
   */
  isOfAnother(slot: number, account: number, now: number): boolean {
    const at = slot * WORDS;
    if (this.#whole[at + ACCOUNT] === account) return false;
    return isClaimed(this.unconfirmed(slot, now), now - this.#time(this.#whole[at + ASKED_AT] ?? 0));
  }

  /** A second account has asked: it is nobody's any more, and the first is refused too. */
  disown(slot: number): void {
    this.#whole[slot * WORDS + ACCOUNT] = NOBODY;
    this.#mark(slot);
  }

  /** Whether a request now is a repeat of a wish that is still open. */
  isRepeat(slot: number, now: number): boolean {
    return isWithin(this.#ms(this.#whole[slot * WORDS + WISH_AT] ?? 0), now);
  }

  /** Whether what is wished for now follows a confirmation so soon that it vouches for nothing more. */
  isAgain(slot: number, now: number): boolean {
    return isWithin(this.#ms(this.#whole[slot * WORDS + CONFIRMED_AT] ?? 0), now);
  }

  /** When the open wish was opened, Unix ms. */
  wishedAt(slot: number): number {
    return this.#ms(this.#whole[slot * WORDS + WISH_AT] ?? 0);
  }

  /** A code counts as a repeat, or one that did is taken back. */
  addRepeat(slot: number, weight: number): void {
    const at = slot * WORDS;
    this.#parts[at + REPEATS] = Math.max(0, (this.#parts[at + REPEATS] ?? 0) + weight);
  }

  /** A repeat is confirmed after its wish was. Answers what it counted, at most, and when that was. */
  settleRepeat(slot: number): { readonly weight: number; readonly at: number } {
    const at = slot * WORDS;
    const weight = Math.min(NUMBER.repeatCounts, this.#parts[at + REPEATS] ?? 0);
    this.addRepeat(slot, -weight);
    return { weight, at: this.#ms(this.#whole[at + ASKED_AT] ?? 0) };
  }

  /** A code is sent, which is `written` or taken back. */
  ask(slot: number, account: number, now: number): void {
    const at = slot * WORDS;
    this.#underWay.begin(slot, this.#row(slot));
    this.#parts[at + UNCONFIRMED] = this.unconfirmed(slot, now) + 1;
    this.#whole[at + ASKED_AT] = this.#tick(now);
    this.#whole[at + ACCOUNT] = account;
    this.#mark(slot);
  }

  /** Whoever's row it has become by then: `tag` is that of the number that was asked for. */
  written(slot: number, tag: number): void {
    this.#underWay.end(slot, tag, true);
  }

  /** A code was not sent after all. If no other was since, the number is whose it was before. */
  takeBack(slot: number, ticket: number | undefined, now: number): void {
    const at = slot * WORDS;
    const before = this.#underWay.end(slot, this.#whole[at + TAG] ?? 0, false);
    this.#parts[at + UNCONFIRMED] = before?.unconfirmed ?? Math.max(0, this.unconfirmed(slot, now) - 1);
    this.#whole[at + ASKED_AT] = before?.askedAt ?? this.#tick(now);
    if (before !== undefined) this.#whole[at + ACCOUNT] = before.account;
    if (ticket !== undefined && this.wishOf(slot) === ticket) this.#whole[at + WISH_AT] = 0;
    this.#mark(slot);
  }

  openWish(slot: number, ticket: number, now: number): void {
    this.#whole[slot * WORDS + WISH_AT] = this.#tick(now);
    this.#whole[slot * WORDS + TICKET] = ticket >>> 0;
    this.#parts[slot * WORDS + REPEATS] = 0;
  }

  /** The ticket of the open wish; undefined if there is none, and no ticket of ours if another node opened it. */
  wishOf(slot: number): number | undefined {
    const at = slot * WORDS;
    return (this.#whole[at + WISH_AT] ?? 0) === 0 ? undefined : this.#whole[at + TICKET];
  }

  confirm(slot: number, now: number): void {
    const at = slot * WORDS;
    this.#underWay.forget(slot);
    this.#whole[at + CONFIRMED_AT] = this.#tick(now);
    this.#whole[at + WISH_AT] = 0;
    this.#parts[at + UNCONFIRMED] = 0;
    this.#mark(slot);
  }

  /** All that is known of the number in a slot. */
  shareOf(slot: number): NumberShare {
    const at = slot * WORDS;
    return {
      hash: this.#whole[at + KEY] ?? 0,
      tag: this.#whole[at + TAG] ?? 0,
      askedAt: this.#ms(this.#whole[at + ASKED_AT] ?? 0),
      confirmedAt: this.#ms(this.#whole[at + CONFIRMED_AT] ?? 0),
      wishAt: this.#ms(this.#whole[at + WISH_AT] ?? 0),
      account: this.#whole[at + ACCOUNT] ?? NOBODY,
      unconfirmed: this.#parts[at + UNCONFIRMED] ?? 0,
      repeats: this.#parts[at + REPEATS] ?? 0,
    };
  }

  /** The slots in use that belong to a bucket, of numbers that were asked for within the time that one is known. */
  *slots(bucket: number, now: number): Generator<number> {
    for (const slot of slotsOf(bucket, this.#sets, WAYS)) {
      const at = slot * WORDS;
      if (this.#whole[at + TAG] === 0 || bucketOf(this.#whole[at + KEY] ?? 0) !== bucket) continue;
      if (now - this.#time(this.#lastUse(slot)) < NUMBER.knownFor) yield slot;
    }
  }

  /**
   * Adds what another node saw of a number. No time is later than now, whatever the other's clock says. Codes that were
   * sent before the last confirmation of either do not count. Answers the ticket of our wish, if it was confirmed there.
   */
  absorb(share: NumberShare, now: number): number | undefined {
    const slot = this.claim(share.hash, share.tag);
    const at = slot * WORDS;
    this.#underWay.forget(slot);
    const [asked, confirmed, wish] = [share.askedAt, share.confirmedAt, share.wishAt].map((ms) =>
      ms === 0 ? 0 : this.#tick(Math.min(ms, now)),
    ) as [number, number, number];
    const [ownAsked, ownConfirmed] = [this.#whole[at + ASKED_AT] ?? 0, this.#whole[at + CONFIRMED_AT] ?? 0];
    const last = Math.max(asked, ownAsked);
    const own =
      ownAsked <= confirmed ? 0 : faded(this.#parts[at + UNCONFIRMED] ?? 0, (last - ownAsked) * TICK);
    const theirs = asked <= ownConfirmed ? 0 : faded(share.unconfirmed, (last - asked) * TICK);
    this.#whole[at + ACCOUNT] = this.#ownerOf(slot, share, own, Math.abs(asked - ownAsked) * TICK);
    this.#parts[at + UNCONFIRMED] = Math.max(0, own + theirs);
    this.addRepeat(slot, share.repeats);
    this.#whole[at + ASKED_AT] = last;
    this.#whole[at + CONFIRMED_AT] = Math.max(confirmed, ownConfirmed);
    this.#mark(slot);
    return this.#absorbWish(at, wish, confirmed, share.unconfirmed < 0);
  }

  /** Whose codes a number has, of which `own` were not confirmed: nobody's, if two accounts asked within the time of bombing. */
  #ownerOf(slot: number, { account, unconfirmed }: NumberShare, own: number, apart: number): number {
    const known = this.#whole[slot * WORDS + ACCOUNT] ?? NOBODY;
    if (known === account || own < TRACE || unconfirmed < 0) return account;
    if (unconfirmed <= 0 && account !== NOBODY) return known;
    return isClaimed(own, apart) ? NOBODY : account;
  }

  #absorbWish(at: number, wish: number, confirmed: number, isTakenBack: boolean): number | undefined {
    const open = this.#whole[at + WISH_AT] ?? 0;
    const ticket = this.#whole[at + TICKET] ?? 0;
    const isOurs = open !== 0 && ticket !== ELSEWHERE;
    const isOver = open !== 0 && open <= confirmed;
    const stays = isOver || (isTakenBack && wish === 0 && !isOurs) ? 0 : open;
    this.#whole[at + WISH_AT] = stays;
    if (wish > (this.#whole[at + CONFIRMED_AT] ?? 0) && (stays === 0 || !isOurs)) {
      this.#whole[at + WISH_AT] = Math.max(stays, wish);
      this.#whole[at + TICKET] = ELSEWHERE;
    }
    return isOver && isOurs ? ticket : undefined;
  }

  #row(slot: number): Row {
    const at = slot * WORDS;
    return {
      tag: this.#whole[at + TAG] ?? 0,
      account: this.#whole[at + ACCOUNT] ?? NOBODY,
      unconfirmed: this.#parts[at + UNCONFIRMED] ?? 0,
      askedAt: this.#whole[at + ASKED_AT] ?? 0,
    };
  }

  #mark(slot: number): void {
    this.#touched.mark(this.#whole[slot * WORDS + KEY] ?? 0);
  }

  #lastUse(slot: number): number {
    const at = slot * WORDS;
    return Math.max(this.#whole[at + ASKED_AT] ?? 0, this.#whole[at + CONFIRMED_AT] ?? 0);
  }

  /** 0 stands for "never". */
  #ms(tick: number): number {
    return tick === 0 ? 0 : this.#time(tick);
  }

  #time(tick: number): number {
    return this.#origin + tick * TICK;
  }

  /** Never 0, which says "never". */
  #tick(ms: number): number {
    return Math.max(1, Math.round((ms - this.#origin) / TICK));
  }
}

/** Whether a time, if there is one, is as near as the tries of one wish are. */
function isWithin(since: number, now: number): boolean {
  return since !== 0 && now - since < NUMBER.sameWishFor;
}

function faded(unconfirmed: number, age: number): number {
  return unconfirmed * 2 ** (-Math.max(0, age) / NUMBER.halfLife);
}

/** Whether so many unconfirmed codes, the last so long ago, keep other accounts away. */
function isClaimed(unconfirmed: number, age: number): boolean {
  return unconfirmed >= TRACE && age < NUMBER.otherAccountFor * Math.max(1, unconfirmed);
}
