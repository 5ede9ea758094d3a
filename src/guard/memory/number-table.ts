/**
 * What is known of numbers, by an opaque hash: which confirmed, which are asked for and never answer. Bounded: in a full set the
 * one asked for longest ago makes room. Nothing here gives a number back.
 */
import type { SentRequest } from '../ask.ts';
import { NUMBER } from '../parameters.ts';
import { bucketOf, Touched } from './buckets.ts';
import { type Cleared, type NumberChange, NumberChanges } from './number-changes.ts';
import {
  ACCOUNT_HASH,
  ASKED_AT,
  CONFIRMED_AT,
  CONFIRMER,
  INTENT_AT,
  KEY_HASH,
  NUMBER_TICK,
  NumberRows,
  OWN,
  REPEATS,
  TAG,
  TICKET,
  UNCONFIRMED,
  WORDS,
} from './number-rows.ts';
import { NumberShare, NumberShares } from './number-shares.ts';
import { faded, isClaimed, isWithin, TRACE } from './number-times.ts';
import { SetIndex } from './set-index.ts';
import { type OpenRow, UnderWay } from './under-way.ts';

const WAYS = 4;

/** No account's tag. */
const NOBODY = 0;
/** The ticket of a intent that another node opened, or this one before it was started again. */
export const ELSEWHERE = 2 ** 32 - 1;

export class NumberTable {
  readonly #index: SetIndex;
  readonly #rows: NumberRows;
  readonly #whole: Uint32Array;
  readonly #parts: Float32Array;
  readonly #touched: Touched;
  readonly #changes: NumberChanges | undefined;
  readonly #underWay = new UnderWay();
  readonly #share = new NumberShare();

  /** `shares`: whether changes are kept until they are taken. */
  constructor(capacity: number, origin: number, touched = new Touched(), shares = false) {
    this.#index = new SetIndex(capacity, WAYS);
    this.#rows = new NumberRows(capacity, origin);
    this.#whole = this.#rows.whole;
    this.#parts = this.#rows.parts;
    this.#touched = touched;
    this.#changes = shares ? new NumberChanges(capacity, origin) : undefined;
  }

  find(hash: number, tag: number): number {
    return this.#index.find(hash, tag);
  }

  claim(hash: number, tag: number): number {
    const found = this.#index.find(hash, tag);
    if (found >= 0) return found;
    let oldest = 0;
    let oldestUse = Number.POSITIVE_INFINITY;
    for (let way = 0; way < WAYS; way++) {
      const slot = this.#index.rowAt(hash, way);
      // What was taken back is as good as nothing.
      const use = slot < 0 ? 0 : this.#lastUse(slot);
      if (use >= oldestUse) continue;
      oldestUse = use;
      oldest = way;
    }
    const slot = this.#index.put(hash, oldest, tag);
    this.#whole.fill(0, slot * WORDS, (slot + 1) * WORDS);
    this.#whole[slot * WORDS + TAG] = tag;
    this.#whole[slot * WORDS + KEY_HASH] = hash;
    this.#touched.mark(hash);
    return slot;
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
    const owner = this.#whole[slot * WORDS + ACCOUNT_HASH];
    const confirmer = this.#confirmer(slot, now);
    if (owner === account || confirmer === account) return false;
    const unconfirmed = this.#faded(slot, UNCONFIRMED, now);
    if (confirmer !== undefined && (owner !== NOBODY || unconfirmed < NUMBER.bombedBy)) return false;
    return this.#isClaimed(slot, now);
  }

  /** A second account has asked: it is nobody's any more, and the first is refused too. */
  disown(slot: number): void {
    this.#whole[slot * WORDS + ACCOUNT_HASH] = NOBODY;
    this.#mark(slot);
  }

  /** Whether a request now is a repeat of a intent that is still open. */
  isRepeat(slot: number, now: number): boolean {
    return isWithin(this.#rows.ms(this.#whole[slot * WORDS + INTENT_AT] ?? 0), now);
  }

  /** Whether what is wished for now follows a confirmation so soon that it vouches for nothing more. */
  isAgain(slot: number, now: number): boolean {
    return isWithin(this.#rows.ms(this.#whole[slot * WORDS + CONFIRMED_AT] ?? 0), now);
  }

  /** When the open intent was opened, Unix ms. */
  wishedAt(slot: number): number {
    return this.#rows.ms(this.#whole[slot * WORDS + INTENT_AT] ?? 0);
  }

  /** A code counts as a repeat, or one that did is taken back. */
  addRepeat(slot: number, weight: number): void {
    const at = slot * WORDS;
    this.#parts[at + REPEATS] = Math.max(0, (this.#parts[at + REPEATS] ?? 0) + weight);
  }

  /** A repeat is confirmed after its intent was. Answers what it counted, at most, and when that was. */
  settleRepeat(slot: number): { readonly weight: number; readonly at: number } {
    const at = slot * WORDS;
    const weight = Math.min(NUMBER.repeatCounts, this.#parts[at + REPEATS] ?? 0);
    this.addRepeat(slot, -weight);
    return { weight, at: this.#rows.ms(this.#whole[at + ASKED_AT] ?? 0) };
  }

  /** A code is sent, which is `written` or taken back. Whether it is one of the account that confirmed last. */
  ask(slot: number, account: number, now: number): boolean {
    const at = slot * WORDS;
    this.#underWay.begin(slot, this.#row(slot));
    const isOwn = this.#confirmer(slot, now) === account;
    if (!isOwn) {
      const isOthers = this.#whole[at + ACCOUNT_HASH] !== account && this.#isClaimed(slot, now);
      this.#whole[at + ACCOUNT_HASH] = isOthers ? NOBODY : account;
    }
    this.#add(slot, isOwn ? OWN : UNCONFIRMED, 1, now);
    return isOwn;
  }

  /** Whoever's row it has become by then: `tag` is that of the number that was asked for. */
  written(slot: number, tag: number): void {
    this.#underWay.end(slot, tag, true);
  }

  /** A code was not sent after all. If no other was since, the number is whose it was before. */
  takeBack(slot: number, { ticket, isOwn }: Pick<SentRequest, 'ticket' | 'isOwn'>, now: number): void {
    const at = slot * WORDS;
    const before = this.#underWay.end(slot, this.#whole[at + TAG] ?? 0, false);
    this.#add(slot, isOwn ? OWN : UNCONFIRMED, -1, now);
    if (before !== undefined) {
      this.#parts[at + UNCONFIRMED] = before.unconfirmed;
      this.#parts[at + OWN] = before.own;
      this.#whole[at + ASKED_AT] = before.askedAt;
      this.#whole[at + ACCOUNT_HASH] = before.account;
    }
    if (ticket !== undefined && this.wishOf(slot) === ticket) this.#whole[at + INTENT_AT] = 0;
  }

  openWish(slot: number, ticket: number, now: number): void {
    this.#whole[slot * WORDS + INTENT_AT] = this.#tick(now);
    this.#whole[slot * WORDS + TICKET] = ticket >>> 0;
    this.#parts[slot * WORDS + REPEATS] = 0;
  }

  /** The ticket of the open intent; undefined if there is none, and no ticket of ours if another node opened it. */
  wishOf(slot: number): number | undefined {
    const at = slot * WORDS;
    return (this.#whole[at + INTENT_AT] ?? 0) === 0 ? undefined : this.#whole[at + TICKET];
  }

  /** A code was confirmed. Codes of others still count where the same account confirmed before: it says nothing about theirs. */
  confirm(slot: number, account: number, now: number): Cleared {
    const at = slot * WORDS;
    this.#underWay.forget(slot);
    const cleared = this.#confirmer(slot, now) === account ? 'own' : 'all';
    this.#whole[at + CONFIRMED_AT] = this.#tick(now);
    this.#whole[at + CONFIRMER] = account;
    this.#whole[at + INTENT_AT] = 0;
    this.#parts[at + OWN] = 0;
    if (cleared === 'all') this.#parts[at + UNCONFIRMED] = 0;
    this.#mark(slot);
    return cleared;
  }

  /** What its repeats count. */
  repeatsOf(slot: number): number {
    return this.#parts[slot * WORDS + REPEATS] ?? 0;
  }

  /** When a code was last sent to it, Unix ms; 0: never. */
  askedAt(slot: number): number {
    return this.#rows.ms(this.#whole[slot * WORDS + ASKED_AT] ?? 0);
  }

  /** Something changed that other nodes are told. */
  note(slot: number, change: NumberChange): void {
    this.#changes?.note(slot, this.#rows, change);
  }

  /** What changed since it was last taken. */
  takeChanges(): NumberShares {
    return this.#changes?.take() ?? new NumberShares();
  }

  /** All that is known of the numbers in some buckets that were asked for within the time that one is known. */
  snapshot(buckets: readonly number[], now: number): NumberShares {
    const slots = buckets.flatMap((bucket) =>
      this.#index.rowsOf(bucket).filter((slot) => bucketOf(this.#keyOf(slot)) === bucket),
    );
    const shares = NumberShares.for(slots.length);
    for (const slot of slots) {
      if (now - this.#rows.time(this.#lastUse(slot)) < NUMBER.knownFor)
        shares.add(this.#rows.share(slot, this.#share));
    }
    return shares;
  }

  /**
   * Adds what another node saw of a number. No time is later than now, whatever the other's clock says. Codes that were
   * sent before the last confirmation of either do not count. Answers the ticket of our intent, if it was confirmed there.
   */
  absorb(share: NumberShare, now: number): number | undefined {
    const slot = this.claim(share.hash, share.tag);
    const at = slot * WORDS;
    this.#underWay.forget(slot);
    const asked = this.#notLater(share.askedAt, now);
    const confirmed = this.#notLater(share.confirmedAt, now);
    const intent = this.#notLater(share.wishAt, now);
    const ownAsked = this.#whole[at + ASKED_AT] ?? 0;
    const ownConfirmed = this.#whole[at + CONFIRMED_AT] ?? 0;
    const last = Math.max(asked, ownAsked);
    const known = this.#parts[at + UNCONFIRMED] ?? 0;
    // Codes of others outlive the confirmations of one and the same account.
    const isSame = share.confirmer !== NOBODY && share.confirmer === this.#whole[at + CONFIRMER];
    const mine = ownAsked <= confirmed && !isSame ? 0 : faded(known, (last - ownAsked) * NUMBER_TICK);
    const theirs =
      asked <= ownConfirmed && !isSame ? 0 : faded(share.unconfirmed, (last - asked) * NUMBER_TICK);
    const myOwn =
      ownAsked <= confirmed ? 0 : faded(this.#parts[at + OWN] ?? 0, (last - ownAsked) * NUMBER_TICK);
    const theirOwn = asked <= ownConfirmed ? 0 : faded(share.own, (last - asked) * NUMBER_TICK);
    this.#whole[at + ACCOUNT_HASH] = this.#ownerOf(
      slot,
      share,
      mine,
      Math.abs(asked - ownAsked) * NUMBER_TICK,
    );
    this.#parts[at + UNCONFIRMED] = Math.max(0, mine + theirs);
    this.#parts[at + OWN] = Math.max(0, myOwn + theirOwn);
    if (confirmed > ownConfirmed) this.#whole[at + CONFIRMER] = share.confirmer;
    this.addRepeat(slot, share.repeats);
    this.#whole[at + ASKED_AT] = last;
    this.#whole[at + CONFIRMED_AT] = Math.max(confirmed, ownConfirmed);
    this.#mark(slot);
    return this.#absorbWish(at, intent, confirmed, share.unconfirmed + share.own < 0);
  }

  #notLater(ms: number, now: number): number {
    return ms === 0 ? 0 : this.#tick(Math.min(ms, now));
  }

  /** Whose codes a number has, of which `own` were not confirmed: nobody's, if two accounts asked within the time of bombing. */
  #ownerOf(slot: number, { account, unconfirmed }: NumberShare, own: number, apart: number): number {
    const known = this.#whole[slot * WORDS + ACCOUNT_HASH] ?? NOBODY;
    if (known === account || own < TRACE || unconfirmed < 0) return account;
    if (unconfirmed <= 0 && account !== NOBODY) return known;
    return isClaimed(own, apart) ? NOBODY : account;
  }

  #absorbWish(at: number, intent: number, confirmed: number, isTakenBack: boolean): number | undefined {
    const open = this.#whole[at + INTENT_AT] ?? 0;
    const ticket = this.#whole[at + TICKET] ?? 0;
    const isOurs = open !== 0 && ticket !== ELSEWHERE;
    const isOver = open !== 0 && open <= confirmed;
    const stays = isOver || (isTakenBack && intent === 0 && !isOurs) ? 0 : open;
    this.#whole[at + INTENT_AT] = stays;
    if (intent > (this.#whole[at + CONFIRMED_AT] ?? 0) && (stays === 0 || !isOurs)) {
      this.#whole[at + INTENT_AT] = Math.max(stays, intent);
      this.#whole[at + TICKET] = ELSEWHERE;
    }
    return isOver && isOurs ? ticket : undefined;
  }

  #row(slot: number): OpenRow {
    const at = slot * WORDS;
    return {
      tag: this.#whole[at + TAG] ?? 0,
      account: this.#whole[at + ACCOUNT_HASH] ?? NOBODY,
      unconfirmed: this.#parts[at + UNCONFIRMED] ?? 0,
      own: this.#parts[at + OWN] ?? 0,
      askedAt: this.#whole[at + ASKED_AT] ?? 0,
    };
  }

  /** The account that confirmed last, while the number is known for that. */
  #confirmer(slot: number, now: number): number | undefined {
    const at = slot * WORDS;
    const confirmedAt = this.#whole[at + CONFIRMED_AT] ?? 0;
    const isOver = confirmedAt === 0 || now - this.#rows.time(confirmedAt) > NUMBER.knownFor;
    return isOver ? undefined : this.#whole[at + CONFIRMER];
  }

  #faded(slot: number, count: number, now: number): number {
    const age = now - this.#rows.time(this.#whole[slot * WORDS + ASKED_AT] ?? 0);
    return faded(this.#parts[slot * WORDS + count] ?? 0, age);
  }

  /** Whether the codes of others keep other accounts away. */
  #isClaimed(slot: number, now: number): boolean {
    const age = now - this.#rows.time(this.#whole[slot * WORDS + ASKED_AT] ?? 0);
    return isClaimed(this.#faded(slot, UNCONFIRMED, now), age);
  }

  /** Adds a code to a count, or takes one off, as of now. */
  #add(slot: number, count: number, added: 1 | -1, now: number): void {
    const at = slot * WORDS;
    const unconfirmed = this.#faded(slot, UNCONFIRMED, now);
    const own = this.#faded(slot, OWN, now);
    this.#parts[at + UNCONFIRMED] = Math.max(0, unconfirmed + (count === UNCONFIRMED ? added : 0));
    this.#parts[at + OWN] = Math.max(0, own + (count === OWN ? added : 0));
    this.#whole[at + ASKED_AT] = this.#tick(now);
    this.#mark(slot);
  }

  #keyOf(slot: number): number {
    return this.#whole[slot * WORDS + KEY_HASH] ?? 0;
  }

  #mark(slot: number): void {
    this.#touched.mark(this.#keyOf(slot));
  }

  #lastUse(slot: number): number {
    const at = slot * WORDS;
    return Math.max(this.#whole[at + ASKED_AT] ?? 0, this.#whole[at + CONFIRMED_AT] ?? 0);
  }

  #tick(ms: number): number {
    return this.#rows.tick(ms);
  }
}
