/** The state of the carriers: what the nodes see of them, and the account's traffic of the last hour. */

import type { TallyStore } from '../../core/counting/tally.ts';
import type { Clock } from '../../core/seams/clock.ts';
import { HOUR_MS } from '../../core/seams/spans.ts';
import {
  type CarrierState,
  type CarrierStateStore,
  troubleOf,
  worstTrouble,
} from '../../core/sending/carrier-state.ts';
import { describeUnusable, sumUnusable } from '../../core/sending/unusable-receipts.ts';
import { formatInstant } from '../../operations/instant.ts';
import { Answers } from './answers.ts';
import type { CarrierHealth } from './contract.ts';
import { describeLatency } from './figures.ts';

export interface CarrierHealthDeps {
  readonly clock: Clock;
  readonly tallies: TallyStore;
  readonly states: CarrierStateStore;
  /** As configured now. */
  readonly carriers: () => readonly { readonly name: string; readonly type: string }[];
}

const FRESH_MS = 2_000;
/** How many accounts' answers are kept. */
const REMEMBERED = 50;

/** From best to worst. */
const BREAKERS = ['closed', 'half-open', 'open'] as const;

export type ReadCarrierHealth = (accountId: string) => Promise<CarrierHealth>;

export function createCarrierHealth(deps: CarrierHealthDeps): ReadCarrierHealth {
  const { clock, tallies, states, carriers } = deps;
  const answers = new Answers<CarrierHealth>(clock, REMEMBERED);

  async function read(accountId: string): Promise<CarrierHealth> {
    const now = clock.wall();
    const hour = { accountId, from: now - HOUR_MS, to: now + 1, by: ['carrier'] } as const;
    const [seen, counts, latencies] = await Promise.all([
      states.carrierStates(now),
      tallies.tally(hour),
      tallies.latencies({ ...hour, stage: 'delivered' }),
    ]);
    return carriers().map(({ name, type }) => {
      const ofNodes = seen.filter(({ carrier }) => carrier === name);
      const {
        failedAttempts = 0,
        submitted = 0,
        delivered = 0,
        undelivered = 0,
        confirmed = 0,
      } = counts.find(({ carrier }) => carrier === name) ?? {};
      const delivered_ms = describeLatency(latencies.filter((each) => each.carrier === name));
      return {
        ...{ name, type },
        installation: {
          breaker: worstBreaker(ofNodes),
          trouble: worstTrouble(ofNodes.map((seen) => troubleOf(seen, now))),
          last_error: lastError(ofNodes),
          unusable_receipts: describeUnusable(sumUnusable(ofNodes.map(({ unusable = {} }) => unusable))),
        },
        account: {
          ...{ attempted: submitted + failedAttempts, submitted, delivered, undelivered, confirmed },
          delivered_ms,
        },
      };
    });
  }

  return (accountId) => answers.ask(accountId, FRESH_MS, () => read(accountId));
}

function worstBreaker(states: readonly CarrierState[]): CarrierHealth[number]['installation']['breaker'] {
  return BREAKERS.findLast((breaker) => states.some((state) => state.breaker === breaker)) ?? 'unknown';
}

function lastError(states: readonly CarrierState[]): CarrierHealth[number]['installation']['last_error'] {
  const errors = states.flatMap((state) => state.lastError ?? []);
  const [last] = errors.sort((a, b) => b.at - a.at);
  return last === undefined ? null : { reason: last.reason, at: formatInstant(last.at) };
}
