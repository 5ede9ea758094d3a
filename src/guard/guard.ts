/**
 * The guard. It judges each request from memory, with constant work, by the times that events carry: it has no clock and
 * draws no chance, so that the same events always get the same answers.
 */
import type { FraudVerdict, GivenVerdict, VerdictWeight } from '../core/guarding/verdict.ts';
import type { Ask, GuardJudgement, Refused, SentRequest } from './ask.ts';
import { explainPlaces, type GuardExplanation } from './explanation.ts';
import { GuardState } from './guard-state.ts';
import { PlaceJudge } from './judge-places.ts';
import { NumberShares } from './memory/number-shares.ts';
import { PlaceShares } from './memory/place-shares.ts';
import { BOUNDS, type Bounds, NUMBER, type PlaceKind } from './parameters.ts';
import { PLACE_KINDS } from './request-places.ts';
import { compileRules, NO_RULE, type OperatorRule, type RuleFinder } from './rules.ts';
import type { Share } from './sharing.ts';

const BOMBING = 'bombing';
/** Accounts read this, and the codes may be another's: the rule says the rest to the operator. */
const UNCONFIRMED = 'codes to this number were not confirmed';
const PASSED: GuardJudgement = { allow: true, probe: false, teaching: 0, closed: [] };

export interface GuardOptions {
  /** The earliest time, Unix ms. */
  readonly origin: number;
  readonly rules?: readonly OperatorRule[];
  readonly bounds?: Bounds | undefined;
  /** Whether changes are kept until they are taken. */
  readonly shares?: boolean;
}

export class Guard {
  readonly #state: GuardState;
  readonly #places: PlaceJudge;
  #ruleFor: RuleFinder;

  constructor({ origin, rules = [], bounds = BOUNDS, shares = false }: GuardOptions) {
    this.#state = new GuardState(origin, bounds, shares);
    this.#places = new PlaceJudge(this.#state);
    this.#ruleFor = compileRules(rules);
  }

  /** Whether any rule of the operator could apply. */
  get hasRules(): boolean {
    return this.#ruleFor !== NO_RULE;
  }

  setRules(rules: readonly OperatorRule[]): void {
    this.#ruleFor = compileRules(rules);
  }

  /** The same by the operator's rules only, of what is no evidence. */
  judgeByRules(ask: Ask): GuardJudgement {
    this.#state.advance(ask.at);
    return byRule(this.#ruleFor(ask)) ?? PASSED;
  }

  /**
   * Whether a code should be sent. The question changes nothing but that a place closes whose evidence has come to that: whoever
   * asks may be answered by something else.
   */
  judge(ask: Ask): GuardJudgement {
    return this.#judge(ask, false);
  }

  /**
   * The same of a code that the client brings, which nobody may confirm here: by what codes that are judged here have shown, and by
   * how many others were brought for the same range. It tries no closed place.
   */
  judgeBrought(ask: Ask): GuardJudgement {
    return this.#judge(ask, true);
  }

  #judge(ask: Ask, isBrought: boolean): GuardJudgement {
    const now = this.#state.advance(ask.at);
    const ruled = byRule(this.#ruleFor(ask));
    if (ruled !== undefined) return ruled;
    const { number, account } = this.#state.lookAt(ask);
    const { numbers } = this.#state;
    if (number >= 0 && numbers.isOfAnother(number, account, now)) return refuseNumber(BOMBING, UNCONFIRMED);
    const unconfirmed = number < 0 ? 0 : numbers.unconfirmed(number, account, now);
    if (unconfirmed > NUMBER.mostUnconfirmed - 0.5) return refuseNumber('silent-number', UNCONFIRMED);
    const isKnown = number >= 0 && numbers.isKnown(number, account, now);
    const judgement = this.#places.judge(ask, isKnown, unconfirmed, now, !isBrought);
    if (!isBrought || isKnown || !judgement.allow) return judgement;
    return this.#state.judgeBrought(ask) ?? judgement;
  }

  /**
   * A code is sent, whatever was judged. To be called in the same turn as `judge`: of many requests at once, each must see
   * those before it.
   */
  sent(ask: Ask, judgement: GuardJudgement): SentRequest {
    this.#state.advance(ask.at);
    return this.#state.sent(ask, judgement);
  }

  /** The same of a code that the client brings: it counts only among its own kind. */
  sentBrought(ask: Ask): SentRequest {
    this.#state.advance(ask.at);
    return this.#state.sentBrought(ask);
  }

  takeBackBrought(ask: Ask, sent: SentRequest): void {
    this.#state.advance(ask.at);
    this.#state.takeBackBrought(ask, sent);
  }

  /** What was counted as sent is written: it cannot be taken back any more. */
  written({ number, tag }: SentRequest): void {
    this.#state.numbers.written(number, tag);
  }

  /** It was refused, as judged: closed places count who waits before them, and of a number that it is bombed. */
  refused(ask: Ask, refused: Refused): void {
    this.#state.advance(ask.at);
    this.#state.refused(ask, refused.closed, refused.rule === BOMBING);
  }

  /** It was not sent after all: something else refused it. Everything is as if it had not been asked for. */
  takeBack(ask: Ask, sent: SentRequest): void {
    this.#state.advance(ask.at);
    this.#state.takeBack(ask, sent);
  }

  /** A code was confirmed. It may have been sent by another node, or was not counted as sent: then only the number is known by it. */
  confirmed(ask: Ask, isEvidence = true): void {
    this.#state.advance(ask.at);
    this.#state.confirmed(ask, isEvidence);
  }

  /** A wrong code was typed. */
  mismatched(ask: Ask): void {
    this.#state.advance(ask.at);
    this.#state.mismatched(ask);
  }

  /** What a verdict of a code's account would count. */
  weigh(ask: Ask, isConfirmed: boolean, verdict: FraudVerdict): VerdictWeight {
    this.#state.advance(ask.at);
    if (verdict === 'fraud') return isConfirmed ? 1 : 0;
    return !isConfirmed && this.#state.mayExcuse(ask) ? -1 : 0;
  }

  /** A code's account says what it was, in place of what it said before. */
  judged(ask: Ask, createdAt: number, before: GivenVerdict | null, given: GivenVerdict | null): void {
    this.#state.advance(ask.at);
    if (before !== null) this.#state.judged(ask, createdAt, before, 'takes back');
    if (given !== null) this.#state.judged(ask, createdAt, given, 'says');
  }

  /** The evidence at each place that a request would have. */
  explain(ask: Ask): GuardExplanation {
    const now = this.#state.advance(ask.at);
    const { number, account } = this.#state.lookAt(ask);
    const { numbers, views } = this.#state;
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
    this.#state.advance(at);
  }

  /** How many places of each kind are closed. */
  closed(at: number): [PlaceKind, number][] {
    this.#state.advance(at);
    const counts = this.#state.closed();
    return PLACE_KINDS.map((kind, index) => [kind, counts[index] ?? 0]);
  }

  /** What was learnt since it was last taken, for the other nodes. */
  takeChanges(): Share {
    return this.#state.takeChanges();
  }

  /** The buckets of `snapshot` in which anything changed since this was last asked. */
  takeTouched(): number[] {
    return this.#state.takeTouched();
  }

  /** What was learnt, for the next start: of places and numbers in one bucket, or everything. */
  snapshot(bucket?: number): Share {
    return this.#state.snapshot(bucket);
  }

  /** What is usual, for the next start. */
  baseline(): Share {
    return {
      places: new PlaceShares(),
      numbers: new NumberShares(),
      baseline: this.#state.baseline.snapshot(),
    };
  }

  /** Adds, at a time, what another node learnt, or what this one had. Their clocks do not move this one's. */
  absorb(share: Share, at: number): void {
    this.#state.advance(at);
    this.#state.absorb(share);
  }
}

function byRule(rule: OperatorRule | undefined): GuardJudgement | undefined {
  if (rule === undefined) return undefined;
  if (rule.action === 'allow') return PASSED;
  return { allow: false, closed: [], rule: `operator-${rule.action}`, detail: rule.reason, isDecided: true };
}

function refuseNumber(rule: string, detail: string): Refused {
  return { allow: false, closed: [], rule, detail };
}
