/**
 * What is known of numbers, by an opaque hash: which confirmed, which are asked for and never answer. Bounded: 44 bytes
 * each, in a full set the one asked for longest ago makes room. Nothing here gives a number back.
 */
import type { Sent } from '../ask.ts';
import { NUMBER } from '../parameters.ts';
import { bucketOf, slotsOf, Touched } from './buckets.ts';
import type { Cleared, NumberShare } from './number-changes.ts';
import { type Row, UnderWay } from './under-way.ts';

const WORDS = 11;
const WAYS = 4;
const TICK = 100;

/** No account's tag. */
const NOBODY = 0;
/** The ticket of a wish that another node opened, or this one before it was started again. */
export const ELSEWHERE = 2 ** 32 - 1;
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
const CONFIRMER = 9;
/** Unconfirmed codes of the account that confirmed last; those of others are in UNCONFIRMED. */
const OWN = 10;

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

  /** Whether it confirmed, and an account has not asked for some in vain since. */
  isKnown(slot: number, account: number, now: number): boolean {
    return this.#confirmer(slot, now) !== undefined && this.unconfirmed(slot, account, now) < 1.5;
  }

  /**
   * Codes sent since it last confirmed, faded, that count against an account: of those of others it knows nothing where it is the one
   * that confirmed last.
   */
  unconfirmed(slot: number, account: number, now: number): number {
    const own = this.#faded(slot, OWN, now);
    return this.#confirmer(slot, now) === account ? own : own + this.#faded(slot, UNCONFIRMED, now);
  }

  /**
   * Whether another account has a code open there, or left one unconfirmed of late: the longer ago, the more codes there
   * were. At a known number it must be several codes of several accounts, and never is it for the account that confirmed last.
   */
  isOfAnother(slot: number, account: number, now: number): boolean {
    const owner = this.#whole[slot * WORDS + ACCOUNT];
    const confirmer = this.#confirmer(slot, now);
    if (owner === account || confirmer === account) return false;
    const unconfirmed = this.#faded(slot, UNCONFIRMED, now);
    if (confirmer !== undefined && (owner !== NOBODY || unconfirmed < NUMBER.bombedBy)) return false;
    return this.#isClaimed(slot, now);
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

  /** A code is sent, which is `written` or taken back. Whether it is one of the account that confirmed last. */
  ask(slot: number, account: number, now: number): boolean {
    const at = slot * WORDS;
    this.#underWay.begin(slot, this.#row(slot));
    const isOwn = this.#confirmer(slot, now) === account;
    if (!isOwn) {
      const isOthers = this.#whole[at + ACCOUNT] !== account && this.#isClaimed(slot, now);
      this.#whole[at + ACCOUNT] = isOthers ? NOBODY : account;
    }
    this.#add(slot, isOwn ? OWN : UNCONFIRMED, 1, now);
    return isOwn;
  }

  /** Whoever's row it has become by then: `tag` is that of the number that was asked for. */
  written(slot: number, tag: number): void {
    this.#underWay.end(slot, tag, true);
  }

  /** A code was not sent after all. If no other was since, the number is whose it was before. */
  takeBack(slot: number, { ticket, isOwn }: Pick<Sent, 'ticket' | 'isOwn'>, now: number): void {
    const at = slot * WORDS;
    const before = this.#underWay.end(slot, this.#whole[at + TAG] ?? 0, false);
    this.#add(slot, isOwn ? OWN : UNCONFIRMED, -1, now);
    if (before !== undefined) {
      this.#parts[at + UNCONFIRMED] = before.unconfirmed;
      this.#parts[at + OWN] = before.own;
      this.#whole[at + ASKED_AT] = before.askedAt;
      this.#whole[at + ACCOUNT] = before.account;
    }
    if (ticket !== undefined && this.wishOf(slot) === ticket) this.#whole[at + WISH_AT] = 0;
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

  /** A code was confirmed. Codes of others still count where the same account confirmed before: it says nothing about theirs. */
  confirm(slot: number, account: number, now: number): Cleared {
    const at = slot * WORDS;
    this.#underWay.forget(slot);
    const cleared = this.#confirmer(slot, now) === account ? 'own' : 'all';
    this.#whole[at + CONFIRMED_AT] = this.#tick(now);
    this.#whole[at + CONFIRMER] = account;
    this.#whole[at + WISH_AT] = 0;
    this.#parts[at + OWN] = 0;
    if (cleared === 'all') this.#parts[at + UNCONFIRMED] = 0;
    this.#mark(slot);
    return cleared;
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
      confirmer: this.#whole[at + CONFIRMER] ?? NOBODY,
      own: this.#parts[at + OWN] ?? 0,
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
    const known = this.#parts[at + UNCONFIRMED] ?? 0;
    // Codes of others outlive the confirmations of one and the same account.
    const isSame = share.confirmer !== NOBODY && share.confirmer === this.#whole[at + CONFIRMER];
    const mine = ownAsked <= confirmed && !isSame ? 0 : faded(known, (last - ownAsked) * TICK);
    const theirs = asked <= ownConfirmed && !isSame ? 0 : faded(share.unconfirmed, (last - asked) * TICK);
    const [myOwn, theirOwn] = [
      ownAsked <= confirmed ? 0 : faded(this.#parts[at + OWN] ?? 0, (last - ownAsked) * TICK),
      asked <= ownConfirmed ? 0 : faded(share.own, (last - asked) * TICK),
    ];
    this.#whole[at + ACCOUNT] = this.#ownerOf(slot, share, mine, Math.abs(asked - ownAsked) * TICK);
    this.#parts[at + UNCONFIRMED] = Math.max(0, mine + theirs);
    this.#parts[at + OWN] = Math.max(0, myOwn + theirOwn);
    if (confirmed > ownConfirmed) this.#whole[at + CONFIRMER] = share.confirmer;
    this.addRepeat(slot, share.repeats);
    this.#whole[at + ASKED_AT] = last;
    this.#whole[at + CONFIRMED_AT] = Math.max(confirmed, ownConfirmed);
    this.#mark(slot);
    return this.#absorbWish(at, wish, confirmed, share.unconfirmed + share.own < 0);
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
      own: this.#parts[at + OWN] ?? 0,
      askedAt: this.#whole[at + ASKED_AT] ?? 0,
    };
  }

  /** The account that confirmed last, while the number is known for that. */
  #confirmer(slot: number, now: number): number | undefined {
    const at = slot * WORDS;
    const confirmedAt = this.#whole[at + CONFIRMED_AT] ?? 0;
    const isOver = confirmedAt === 0 || now - this.#time(confirmedAt) > NUMBER.knownFor;
    return isOver ? undefined : this.#whole[at + CONFIRMER];
  }

  #faded(slot: number, count: number, now: number): number {
    const age = now - this.#time(this.#whole[slot * WORDS + ASKED_AT] ?? 0);
    return faded(this.#parts[slot * WORDS + count] ?? 0, age);
  }

  /** Whether the codes of others keep other accounts away. */
  #isClaimed(slot: number, now: number): boolean {
    const age = now - this.#time(this.#whole[slot * WORDS + ASKED_AT] ?? 0);
    return isClaimed(this.#faded(slot, UNCONFIRMED, now), age);
  }

  /** Adds a code to a count, or takes one off, as of now. */
  #add(slot: number, count: number, added: 1 | -1, now: number): void {
    const at = slot * WORDS;
    const [unconfirmed, own] = [this.#faded(slot, UNCONFIRMED, now), this.#faded(slot, OWN, now)];
    this.#parts[at + UNCONFIRMED] = Math.max(0, unconfirmed + (count === UNCONFIRMED ? added : 0));
    this.#parts[at + OWN] = Math.max(0, own + (count === OWN ? added : 0));
    this.#whole[at + ASKED_AT] = this.#tick(now);
    this.#mark(slot);
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
