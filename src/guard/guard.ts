/**
 * The guard. It judges each request from memory, with constant work, by the times that events carry: it has no clock and
 * draws no chance, so that the same events always get the same answers.
 */
import type { Ask, Judgement, Refused, Sent } from './ask.ts';
import { Book } from './book.ts';
import { type Explanation, explainPlaces } from './explanation.ts';
import { PlaceJudge } from './judge-places.ts';
import { NumberShares } from './memory/number-shares.ts';
import { PlaceShares } from './memory/place-shares.ts';
import { BOUNDS, type Bounds, NUMBER, type PlaceKind } from './parameters.ts';
import { PLACE_KINDS } from './request-places.ts';
import { compileRules, type OperatorRule, type RuleFinder } from './rules.ts';
import type { Share } from './sharing.ts';

const BOMBING = 'bombing';
/** Accounts read this, and the codes may be another's: the rule says the rest to the operator. */
const UNCONFIRMED = 'codes to this number were not confirmed';
const PASSED: Judgement = { allow: true, probe: false, teaching: 0, closed: [] };

export interface GuardOptions {
  /** The earliest time, Unix ms. */
  readonly origin: number;
  readonly rules?: readonly OperatorRule[];
  readonly bounds?: Bounds | undefined;
  /** Whether changes are kept until they are taken. */
  readonly shares?: boolean;
}

export class Guard {
  readonly #book: Book;
  readonly #places: PlaceJudge;
  #ruleFor: RuleFinder;

  constructor({ origin, rules = [], bounds = BOUNDS, shares = false }: GuardOptions) {
    this.#book = new Book(origin, bounds, shares);
    this.#places = new PlaceJudge(this.#book);
    this.#ruleFor = compileRules(rules);
  }

  setRules(rules: readonly OperatorRule[]): void {
    this.#ruleFor = compileRules(rules);
  }

  /** The same by the operator's rules only, of what is no evidence. */
  judgeByRules(ask: Ask): Judgement {
    this.#book.advance(ask.at);
    return byRule(this.#ruleFor(ask)) ?? PASSED;
  }

  /**
   * Whether a code should be sent. The question changes nothing but that a place closes whose evidence has come to that: whoever
   * asks may be answered by something else.
   */
  judge(ask: Ask): Judgement {
    return this.#judge(ask, false);
  }

  /**
   * The same of a code that the client brings, which nobody may confirm here: by what codes that are judged here have shown, and by
   * how many others were brought for the same range. It tries no closed place.
   */
  judgeBrought(ask: Ask): Judgement {
    return this.#judge(ask, true);
  }

  #judge(ask: Ask, isBrought: boolean): Judgement {
    const now = this.#book.advance(ask.at);
    const ruled = byRule(this.#ruleFor(ask));
    if (ruled !== undefined) return ruled;
    const { number, account } = this.#book.lookAt(ask);
    const { numbers } = this.#book;
    if (number >= 0 && numbers.isOfAnother(number, account, now)) return refuseNumber(BOMBING, UNCONFIRMED);
    const unconfirmed = number < 0 ? 0 : numbers.unconfirmed(number, account, now);
    if (unconfirmed > NUMBER.mostUnconfirmed - 0.5) return refuseNumber('silent-number', UNCONFIRMED);
    const isKnown = number >= 0 && numbers.isKnown(number, account, now);
    const judgement = this.#places.judge(ask, isKnown, unconfirmed, now, !isBrought);
    if (!isBrought || isKnown || !judgement.allow) return judgement;
    return this.#book.judgeBrought(ask) ?? judgement;
  }

  /**
   * A code is sent, whatever was judged. To be called in the same turn as `judge`: of many requests at once, each must see
   * those before it.
   */
  sent(ask: Ask, judgement: Judgement): Sent {
    this.#book.advance(ask.at);
    return this.#book.sent(ask, judgement);
  }

  /** The same of a code that the client brings: it counts only among its own kind. */
  sentBrought(ask: Ask): Sent {
    this.#book.advance(ask.at);
    return this.#book.sentBrought(ask);
  }

  takeBackBrought(ask: Ask, sent: Sent): void {
    this.#book.advance(ask.at);
    this.#book.takeBackBrought(ask, sent);
  }

  /** What was counted as sent is written: it cannot be taken back any more. */
  written({ number, tag }: Sent): void {
    this.#book.numbers.written(number, tag);
  }

  /** It was refused, as judged: closed places count who waits before them, and of a number that it is bombed. */
  refused(ask: Ask, refused: Refused): void {
    this.#book.advance(ask.at);
    this.#book.refused(ask, refused.closed, refused.rule === BOMBING);
  }

  /** It was not sent after all: something else refused it. Everything is as if it had not been asked for. */
  takeBack(ask: Ask, sent: Sent): void {
    this.#book.advance(ask.at);
    this.#book.takeBack(ask, sent);
  }

  /** A code was confirmed. It may have been sent by another node, or was not counted as sent: then only the number is known by it. */
  confirmed(ask: Ask, isEvidence = true): void {
    this.#book.advance(ask.at);
    this.#book.confirmed(ask, isEvidence);
  }

  /** A wrong code was typed. */
  mismatched(ask: Ask): void {
    this.#book.advance(ask.at);
    this.#book.mismatched(ask);
  }

  /** The evidence at each place that a request would have. */
  explain(ask: Ask): Explanation {
    const now = this.#book.advance(ask.at);
    const { number, account } = this.#book.lookAt(ask);
    const { numbers, views } = this.#book;
    const isKnown = number >= 0 && numbers.isKnown(number, account, now);
    const unconfirmed = number < 0 ? 0 : numbers.unconfirmed(number, account, now);
    return {
      rule: this.#ruleFor(ask),
      number: {
        isKnown,
        unconfirmed,
        isOfAnother: number >= 0 && numbers.isOfAnother(number, account, now),
      },
      places: explainPlaces(ask, views, this.#places.look(ask, isKnown, unconfirmed)),
    };
  }

  /** Time passes, whether anybody asks or not: codes that are due are judged. */
  advance(at: number): void {
    this.#book.advance(at);
  }

  /** How many places of each kind are closed. */
  closed(at: number): [PlaceKind, number][] {
    this.#book.advance(at);
    const counts = this.#book.closed();
    return PLACE_KINDS.map((kind, index) => [kind, counts[index] ?? 0]);
  }

  /** What was learnt since it was last taken, for the other nodes. */
  takeChanges(): Share {
    return this.#book.takeChanges();
  }

  /** The buckets of `snapshot` in which anything changed since this was last asked. */
  takeTouched(): number[] {
    return this.#book.takeTouched();
  }

  /** What was learnt, for the next start: of places and numbers in one bucket, or everything. */
  snapshot(bucket?: number): Share {
    return this.#book.snapshot(bucket);
  }

  /** What is usual, for the next start. */
  usual(): Share {
    return { places: new PlaceShares(), numbers: new NumberShares(), usual: this.#book.usual.snapshot() };
  }

  /** Adds, at a time, what another node learnt, or what this one had. Their clocks do not move this one's. */
  absorb(share: Share, at: number): void {
    this.#book.advance(at);
    this.#book.absorb(share);
  }
}

function byRule(rule: OperatorRule | undefined): Judgement | undefined {
  if (rule === undefined) return undefined;
  if (rule.action === 'allow') return PASSED;
  return { allow: false, closed: [], rule: `operator-${rule.action}`, detail: rule.reason };
}

function refuseNumber(rule: string, detail: string): Refused {
  return { allow: false, closed: [], rule, detail };
}
