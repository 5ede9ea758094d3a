/** Writes to the store how this node sees its carriers, because those who ask may run on another machine. */

import { describeError } from '../core/errors/error-facts.ts';
import { afterAnswer, type LookupTold, stateNameOf } from '../core/lookups/lookup-state.ts';
import type { Clock, Timer } from '../core/seams/clock.ts';
import {
  type CarrierError,
  type CarrierState,
  type CarrierStateStore,
  isOperatorsFault,
} from '../core/sending/carrier-state.ts';
import type { DeliveryMetrics } from '../core/sending/delivery-metrics.ts';
import { HourCount } from './hour-count.ts';

/** After a change, at most once per this time: a failing carrier changes many times a second. */
const CHANGE_MS = 1_000;
/** Without a change, to show that the node is alive. */
const ALIVE_MS = 60_000;

type Seen = Pick<CarrierState, 'breaker' | 'lastError'>;

export interface HealthDeps {
  readonly clock: Clock;
  readonly store: CarrierStateStore;
  /** The name of this node. */
  readonly node: string;
  readonly log: (level: 'warn', message: string, fields: Record<string, unknown>) => void;
}

export class HealthReporter {
  readonly #deps: HealthDeps;
  readonly #carriers = new Map<string, Seen>();
  readonly #unusable = new Map<string, HourCount>();
  #timer: Timer | undefined;
  /** When the next note is due, in steady time. */
  #dueAt = Number.POSITIVE_INFINITY;
  #notedAt = Number.NEGATIVE_INFINITY;
  #noting: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(deps: HealthDeps) {
    this.#deps = deps;
  }

  /** Metrics that pass everything on and listen to what concerns carriers' health. */
  watch(deliveryMetrics: DeliveryMetrics): DeliveryMetrics {
    return {
      ...deliveryMetrics,
      breaker: (carrier, state, why) => {
        deliveryMetrics.breaker(carrier, state, why);
        this.#see(carrier, { breaker: state });
      },
      erred: (carrier, reason, at) => {
        deliveryMetrics.erred(carrier, reason, at);
        const before = this.#carriers.get(carrier)?.lastError ?? null;
        this.#see(carrier, { lastError: last(before, { reason, at }) });
      },
      unusable: (carrier, why, count) => {
        deliveryMetrics.unusable(carrier, why, count);
        const counts = this.#unusable.get(carrier) ?? new HourCount();
        this.#unusable.set(carrier, counts);
        counts.add(why, count, this.#deps.clock.steady());
        this.#see(carrier, {});
      },
      dismissed: (carrier) => {
        deliveryMetrics.dismissed(carrier);
        this.#carriers.delete(carrier);
        this.#unusable.delete(carrier);
      },
    };
  }

  /** The same of look-ups. */
  watchLookups(told: LookupTold): LookupTold {
    return (lookup, failure) => {
      told(lookup, failure);
      const name = stateNameOf(lookup);
      const before = this.#carriers.get(name)?.lastError ?? null;
      const after =
        failure === undefined ? afterAnswer(before, this.#deps.clock.now()) : last(before, failure);
      if (after !== before) this.#see(name, { lastError: after });
    };
  }

  /** Stops reporting, and waits for the report under way. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#timer?.[Symbol.dispose]();
    await this.#noting;
  }

  #see(carrier: string, change: Partial<Seen>): void {
    const seen = this.#carriers.get(carrier) ?? { breaker: 'closed', lastError: null };
    this.#carriers.set(carrier, { ...seen, ...change });
    this.#noteAt(this.#notedAt + CHANGE_MS);
  }

  #noteAt(wanted: number): void {
    if (this.#stopped || wanted >= this.#dueAt) return;
    this.#timer?.[Symbol.dispose]();
    this.#dueAt = wanted;
    const { clock } = this.#deps;
    this.#timer = clock.after(Math.max(0, wanted - clock.steady()), this.#note);
  }

  readonly #note = (): void => {
    this.#dueAt = Number.POSITIVE_INFINITY;
    this.#notedAt = this.#deps.clock.steady();
    const { clock, store, node, log } = this.#deps;
    const at = clock.now();
    // An error of a clock that was ahead, as the store corrects it.
    for (const [carrier, { breaker, lastError }] of this.#carriers)
      if (lastError !== null && lastError.at > at)
        this.#carriers.set(carrier, { breaker, lastError: { ...lastError, at } });
    const states = [...this.#carriers].map(([carrier, seen]) => {
      const unusable = this.#unusable.get(carrier)?.read(this.#deps.clock.steady());
      return { node, carrier, ...seen, ...(unusable && { unusable }), at };
    });
    this.#noting = store.noteCarrierStates(states).catch((error: unknown) => {
      // Written again with the next report. The metrics are correct in the meantime.
      log('warn', 'the state of the carriers could not be stored', { error: describeError(error) });
    });
    this.#noteAt(this.#notedAt + ALIVE_MS);
  };
}

/** A busy telephone must not hide an account without credit from the operator. */
function last(before: CarrierError | null, error: CarrierError): CarrierError {
  const stands = before !== null && isOperatorsFault(before, error.at) && !isOperatorsFault(error, error.at);
  return stands ? before : error;
}
