/** The gates of all carriers, each with its settings, its cap and its metrics. */
import type { Clock } from '../../core/clock.ts';
import type { Carrier } from '../../core/sending/carrier.ts';
import type { DailyCap } from '../../core/sending/daily-cap.ts';
import type { RateBudget } from '../../core/sending/delivery.ts';
import type { Funnel } from '../../core/sending/funnel.ts';
import { presentReason } from '../reason.ts';
import type { Choice } from '../round.ts';
import { createGate, type Gate, type GateOptions } from './gate.ts';

/** As configured for one carrier. */
type GateSettings = Pick<GateOptions, 'rate' | 'timeout' | 'breaker'> & {
  /** The carrier's own if none is configured. */
  readonly concurrency?: number | undefined;
};

type Settings = Readonly<Record<string, GateSettings>>;

interface GatesParts {
  readonly capOf: (carrier: string) => DailyCap | undefined;
  readonly budget: RateBudget | undefined;
  readonly clock: Clock;
  readonly funnel: Funnel;
}

export interface Gates {
  readonly all: readonly Gate[];
  /** The gates of these carriers, in the same order. */
  before(carriers: readonly { readonly carrier: string; readonly why: string | null }[]): readonly Choice[];
}

export function createGates(carriers: readonly Carrier[], settings: Settings, parts: GatesParts): Gates {
  const byName = new Map(
    carriers.map((carrier) => [carrier.name, createOne(carrier, settings[carrier.name], parts)]),
  );
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

function createOne(carrier: Carrier, settings: GateSettings | undefined, parts: GatesParts): Gate {
  const { name } = carrier;
  if (settings === undefined) throw new Error(`carrier ${name} is not configured`);
  const { rate, timeout, breaker, concurrency = carrier.concurrency } = settings;
  const { capOf, budget, clock, funnel } = parts;
  funnel.breaker(name, 'closed');
  return createGate(
    carrier,
    { clock, rate, budget, timeout, breaker, concurrency, cap: capOf(name) },
    (state) => funnel.breaker(name, state),
    (trouble) => funnel.erred(name, presentReason(`no link: ${trouble}`), clock.now()),
  );
}
