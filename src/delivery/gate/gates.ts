/** The gates of all carriers, each with its settings, its cap and its metrics. */
import type { Clock } from '../../core/seams/clock.ts';
import type { Carrier } from '../../core/sending/carrier.ts';
import { LINK_DOWN } from '../../core/sending/carrier-state.ts';
import type { DailyCap } from '../../core/sending/daily-cap.ts';
import type { RateBudget } from '../../core/sending/delivery.ts';
import type { DeliveryMetrics } from '../../core/sending/delivery-metrics.ts';
import { presentReason } from '../reason.ts';
import type { Choice } from '../round.ts';
import { createGate, type Gate, type GateOptions } from './gate.ts';

/** As configured for one carrier. */
export type GateSettings = Pick<GateOptions, 'rate' | 'timeout' | 'breaker'> & {
  /** The carrier's own if none is configured. */
  readonly concurrency?: number | undefined;
};

export interface GateParts {
  readonly capOf: (carrier: string) => DailyCap | undefined;
  readonly budget: RateBudget | undefined;
  readonly clock: Clock;
  readonly deliveryMetrics: Pick<DeliveryMetrics, 'breaker' | 'erred'>;
}

export interface Gates {
  readonly all: readonly Gate[];
  /** The gates of these carriers, in the same order. */
  before(carriers: readonly { readonly carrier: string; readonly why: string | null }[]): readonly Choice[];
}

export function lineUp(gates: Iterable<Gate>): Gates {
  const byName = new Map([...gates].map((gate) => [gate.name, gate]));
  return {
    all: [...byName.values()],
    before: (ranked) =>
      ranked.map(({ carrier, why }) => {
        const gate = byName.get(carrier);
        if (gate === undefined) throw new Error(`there is no carrier ${carrier}`);
        return { gate, why };
      }),
  };
}

/** The gate of one carrier. Its breaker is in the metrics from the start. */
export function gateOf(carrier: Carrier, settings: GateSettings, parts: GateParts): Gate {
  const { name } = carrier;
  const { rate, timeout, breaker, concurrency = carrier.concurrency } = settings;
  const { capOf, budget, clock, deliveryMetrics } = parts;
  deliveryMetrics.breaker(name, 'closed');
  return createGate(
    carrier,
    { clock, rate, budget, timeout, breaker, concurrency, cap: capOf(name) },
    (state, why) => deliveryMetrics.breaker(name, state, why),
    (trouble) => deliveryMetrics.erred(name, presentReason(`${LINK_DOWN}${trouble}`), clock.now()),
  );
}
