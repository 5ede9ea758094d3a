/** What the guard did, for people: lines and counts in the store, events, metrics. */

import { type Charge, NEARLY_USED } from '../../core/budgets/budget.ts';
import type { Clock, Timer } from '../../core/seams/clock.ts';
import type { Random } from '../../core/seams/random.ts';
import { MINUTE_MS, SECOND_MS } from '../../core/seams/spans.ts';
import type { Log } from '../../core/sending/carrier.ts';
import type { PriceList } from '../../core/sending/prices.ts';
import type { Records } from '../../core/sql/records.ts';
import type { Guard } from '../guard.ts';
import { EventLog } from './event-log.ts';
import { EvidenceLog } from './evidence-log.ts';
import { Ledger } from './ledger.ts';
import type { GuardRefusal } from './refusal.ts';
import { RefusalLog } from './refusal-log.ts';

export interface GuardMetrics {
  guardDecided(decision: 'allow' | 'probe' | 'refuse' | 'observe', rule: string): void;
  /** In millionths of the currency. */
  guardSaved(amount: number): void;
  /** Shows how many places are closed, by kind. */
  watchGuard(read: () => Iterable<readonly [string, number]>): void;
}

interface RecordDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly guard: Guard;
  /** The time of the guard, Unix ms. */
  readonly now: () => number;
  readonly records: Records;
  /** Of one segment or call. */
  readonly priceOf: PriceList;
  readonly metrics: GuardMetrics;
  readonly log: Log;
}

export class GuardRecord implements AsyncDisposable {
  readonly #deps: RecordDeps;
  readonly #refusals: RefusalLog;
  readonly #events: EventLog;
  readonly #evidence: EvidenceLog;
  readonly #ledger: Ledger;
  #timer: Timer | undefined;
  #checkedAt = 0;

  constructor(deps: RecordDeps) {
    this.#deps = deps;
    const { guard, log, random, records, metrics, now } = deps;
    this.#refusals = new RefusalLog(random);
    this.#events = new EventLog(guard, log, random);
    this.#evidence = new EvidenceLog(guard);
    this.#ledger = new Ledger(records, log, [
      () => this.#refusals.take(),
      () => this.#events.take(),
      () => this.#evidence.take(Math.round(now())),
    ]);
    metrics.watchGuard(() => guard.closed(now()));
  }

  /** Writes every second until it is disposed of. */
  start(): this {
    this.#timer = this.#deps.clock.every(SECOND_MS, () => void this.write()).unref();
    return this;
  }

  readonly passed = (isProbe: boolean): void =>
    this.#deps.metrics.guardDecided(isProbe ? 'probe' : 'allow', 'none');

  readonly refused = (refusal: GuardRefusal): void => {
    const { metrics } = this.#deps;
    const { enforced, rule } = refusal;
    const saved = this.#cheapest(refusal);
    metrics.guardDecided(enforced ? 'refuse' : 'observe', rule);
    if (enforced && saved !== null) metrics.guardSaved(saved);
    this.#refusals.add(refusal, saved);
    this.#events.hear(refusal);
    this.#evidence.hear(refusal);
  };

  readonly budgetNearlyUsed = (charge: Charge): void => this.#budgetReached(charge, NEARLY_USED);
  readonly budgetExhausted = (charge: Charge): void => this.#budgetReached(charge, 1);

  write(): Promise<void> {
    const now = this.#deps.now();
    if (now - this.#checkedAt >= MINUTE_MS) {
      this.#checkedAt = now;
      this.#events.check(now);
    }
    return this.#ledger.flush();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#timer?.[Symbol.dispose]();
    // One that is under way, and what has come since.
    await this.#ledger.flush();
    await this.#ledger.flush();
  }

  #budgetReached(charge: Charge, share: number): void {
    this.#events.budgetReached(charge, share, Math.round(this.#deps.now()));
  }

  /** One segment or call at the cheapest carrier of its route: what was saved at least. */
  #cheapest({ ask, channel, route }: GuardRefusal): number | null {
    const destination = { address: ask.destination, country: ask.country };
    const prices = route.carriers
      .map((carrier) => this.#deps.priceOf(carrier, { channel, destination }))
      .filter((price) => price !== undefined);
    return prices.length === 0 ? null : Math.min(...prices);
  }
}
