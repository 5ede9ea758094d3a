/**
 * What is known of numbers, by an opaque hash: which confirmed, which are asked for and never answer. Bounded: 32 bytes
 * each, in a full set the one asked for longest ago makes room. Nothing here gives a number back.
 */
import { NUMBER } from '../parameters.ts';

const WORDS = 8;
const WAYS = 4;
const TICK = 100;

/** No account's tag. */
const NOBODY = 0;

const TAG = 0;
const WISH_AT = 1;
const TICKET = 2;
const CONFIRMED_AT = 3;
const ACCOUNT = 4;
const UNCONFIRMED = 5;
const ASKED_AT = 6;

export class NumberTable {
  readonly #origin: number;
  readonly #sets: number;
  readonly #whole: Uint32Array;
  readonly #parts: Float32Array;

  constructor(capacity: number, origin: number) {
    this.#origin = origin;
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
      if ((this.#whole[slot * WORDS + ASKED_AT] ?? 0) < (this.#whole[oldest * WORDS + ASKED_AT] ?? 0)) {
        oldest = slot;
      }
    }
    this.#whole.fill(0, oldest * WORDS, (oldest + 1) * WORDS);
    this.#whole[oldest * WORDS + TAG] = tag;
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
    return (this.#parts[slot * WORDS + UNCONFIRMED] ?? 0) * 2 ** (-Math.max(0, age) / NUMBER.halfLife);
  }

  /**
   * Whether another account has a code open there, or left one unconfirmed of late: the longer ago, the more codes there
   * were. Once a second account has asked, it is nobody's any more, and the first account is refused too.
   */
  isBombed(slot: number, account: number, now: number): boolean {
    const at = slot * WORDS;
    const unconfirmed = this.unconfirmed(slot, now);
    if (unconfirmed < 0.1 || this.#whole[at + ACCOUNT] === account) return false;
    const age = now - this.#time(this.#whole[at + ASKED_AT] ?? 0);
    if (age >= NUMBER.otherAccountFor * Math.max(1, unconfirmed)) return false;
    this.#whole[at + ACCOUNT] = NOBODY;
    return true;
  }

  /** Whether a request now is a repeat of a wish that is still open, or was confirmed a little while ago. */
  isRepeat(slot: number, now: number): boolean {
    const at = slot * WORDS;
    const since = Math.max(this.#whole[at + WISH_AT] ?? 0, this.#whole[at + CONFIRMED_AT] ?? 0);
    return since !== 0 && now - this.#time(since) < NUMBER.sameWishFor;
  }

  ask(slot: number, account: number, now: number): void {
    const at = slot * WORDS;
    this.#parts[at + UNCONFIRMED] = this.unconfirmed(slot, now) + 1;
    this.#whole[at + ASKED_AT] = this.#tick(now);
    this.#whole[at + ACCOUNT] = account;
  }

  /** A code was not sent after all. */
  takeBack(slot: number, ticket: number | undefined, now: number): void {
    const at = slot * WORDS;
    this.#parts[at + UNCONFIRMED] = Math.max(0, this.unconfirmed(slot, now) - 1);
    this.#whole[at + ASKED_AT] = this.#tick(now);
    if (ticket !== undefined && this.wishOf(slot) === ticket) this.#whole[at + WISH_AT] = 0;
  }

  openWish(slot: number, ticket: number, now: number): void {
    this.#whole[slot * WORDS + WISH_AT] = this.#tick(now);
    this.#whole[slot * WORDS + TICKET] = ticket >>> 0;
  }

  /** The ticket of the open wish; undefined if there is none. */
  wishOf(slot: number): number | undefined {
    const at = slot * WORDS;
    return (this.#whole[at + WISH_AT] ?? 0) === 0 ? undefined : this.#whole[at + TICKET];
  }

  confirm(slot: number, now: number): void {
    const at = slot * WORDS;
    this.#whole[at + CONFIRMED_AT] = this.#tick(now);
    this.#whole[at + WISH_AT] = 0;
    this.#parts[at + UNCONFIRMED] = 0;
  }

  #time(tick: number): number {
    return this.#origin + tick * TICK;
  }

  /** Never 0, which says "never". */
  #tick(ms: number): number {
    return Math.max(1, Math.round((ms - this.#origin) / TICK));
  }
}
