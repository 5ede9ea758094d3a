/** What becomes of one code: who is asked to carry it, what comes back, and what the person types. */
import type { Channel } from '../core/destination/channel.ts';
import { SECOND_MS } from '../core/seams/spans.ts';
import { SIMULATOR } from '../core/sending/carrier.ts';
import type { Attempt, ReceiptRecord } from '../core/sending/delivery.ts';
import { drawByChance, orderCarriers } from '../routing/order.ts';
import {
  DEMO_CARRIERS,
  type DemoCarrierName,
  isDemoCarrier,
  OUTAGE_CARRIER,
  OUTAGE_REASONS,
  routeOfDemo,
} from './carriers.ts';
import type { Chance } from './chance.ts';

export interface DemoAttempt
  extends Pick<Attempt, 'startedAt' | 'endedAt' | 'outcome' | 'reason' | 'choice'> {
  readonly carrier: DemoCarrierName | typeof SIMULATOR;
  readonly receipt?: Pick<ReceiptRecord, 'status' | 'reason' | 'at'> | undefined;
}

export interface Fate {
  /** No other than the last was accepted. */
  readonly attempts: readonly DemoAttempt[];
  readonly guesses: readonly { readonly at: number; readonly isRight: boolean }[];
  readonly cancelledAt: number | undefined;
}

export interface Asked {
  readonly at: number;
  readonly country: string;
  readonly number: string;
  readonly channel: Channel;
}

export interface Odds {
  /** How many of the codes that arrive are typed. */
  readonly typed: number;
  /** Whether a carrier refuses most of its messages. */
  readonly isOutage: boolean;
}

const UNUSUAL = {
  refused: 0.006,
  unreported: 0.015,
  cancelled: 0.01,
  mistyped: 0.06,
  locked: 0.006,
} as const;
const OUTAGE = { refused: 0.85, waitMs: 1_400 } as const;
/** Of codes that no receipt came of. */
const ARRIVED_UNREPORTED = 0.7;
const MOST_SUBMIT_MS = 3 * SECOND_MS;

export function drawFate(asked: Asked, odds: Odds, guesses: number, chance: Chance): Fate {
  const attempts = drawAttempts(asked, odds, chance);
  const last = attempts.at(-1);
  const nothing = { attempts, guesses: [], cancelledAt: undefined };
  if (last?.outcome !== 'accepted') return nothing;
  if (chance.happens(UNUSUAL.cancelled)) return { ...nothing, cancelledAt: asked.at + chance.around(40_000) };
  const { receipt } = last;
  const arrived = receipt === undefined ? chance.happens(ARRIVED_UNREPORTED) : receipt.status === 'delivered';
  if (!arrived || !chance.happens(odds.typed)) return nothing;
  const first = Math.max(receipt?.at ?? last.endedAt, last.endedAt) + chance.around(11_000);
  if (chance.happens(UNUSUAL.locked)) {
    const wrong = Array.from({ length: guesses }, (_, n) => ({ at: first + n * 9_000, isRight: false }));
    return { ...nothing, guesses: wrong };
  }
  if (!chance.happens(UNUSUAL.mistyped)) return { ...nothing, guesses: [{ at: first, isRight: true }] };
  const again = { at: first + chance.around(14_000), isRight: true };
  return { ...nothing, guesses: [{ at: first, isRight: false }, again] };
}

/** With a test key: the simulator delivers at once, and somebody tries their application. */
export function drawTrial({ at }: Pick<Asked, 'at'>, chance: Chance): Fate {
  const endedAt = at + 5;
  const attempt = {
    carrier: SIMULATOR,
    startedAt: at + 4,
    endedAt,
    outcome: 'delivered',
    reason: null,
    choice: null,
  } as const;
  const typedAt = endedAt + chance.around(6_000);
  return {
    attempts: [attempt],
    guesses: [{ at: typedAt, isRight: chance.happens(0.9) }],
    cancelledAt: undefined,
  };
}

/** Over the carriers of the demo's routes, in the order in which the service would ask them. */
function drawAttempts(asked: Asked, odds: Odds, chance: Chance): readonly DemoAttempt[] {
  const { number, country, channel } = asked;
  const route = routeOfDemo(channel, { address: number, country, kind: 'e164' });
  const order = orderCarriers(route, NOTHING_KNOWN, drawByChance(chance.fraction));
  const attempts: DemoAttempt[] = [];
  let startedAt = asked.at + 4;
  for (const { carrier, why: choice } of order) {
    if (!isDemoCarrier(carrier)) continue;
    const attempt = drawAttempt(carrier, { startedAt, choice }, odds, chance);
    attempts.push(attempt);
    if (attempt.outcome === 'accepted') break;
    startedAt = attempt.endedAt + 2;
  }
  return attempts;
}

/** No route of the demo chooses by what is known of its carriers. */
const NOTHING_KNOWN = { belief: () => ({ alpha: 1, beta: 1, sent: 0 }), price: () => undefined };

function drawAttempt(
  carrier: DemoCarrierName,
  asked: Pick<DemoAttempt, 'startedAt' | 'choice'>,
  { isOutage }: Odds,
  chance: Chance,
): DemoAttempt {
  const { submitMs, deliverMs, delivered, refusals, undelivered } = DEMO_CARRIERS[carrier];
  const { startedAt } = asked;
  if (carrier === OUTAGE_CARRIER && isOutage && chance.happens(OUTAGE.refused)) {
    const reason = chance.pick(OUTAGE_REASONS);
    const endedAt = startedAt + Math.min(MOST_SUBMIT_MS, chance.around(OUTAGE.waitMs));
    return { ...asked, carrier, endedAt, outcome: 'temporary', reason };
  }
  const endedAt = startedAt + Math.min(MOST_SUBMIT_MS, chance.around(submitMs));
  if (chance.happens(UNUSUAL.refused))
    return { ...asked, carrier, endedAt, outcome: 'permanent', reason: chance.pick(refusals) };
  const taken = { ...asked, carrier, endedAt, outcome: 'accepted', reason: null } as const;
  if (chance.happens(UNUSUAL.unreported)) return taken;
  const at = endedAt + chance.around(deliverMs);
  const receipt = chance.happens(delivered)
    ? ({ status: 'delivered', reason: null, at } as const)
    : ({
        status: 'undelivered',
        reason: chance.pick(undelivered),
        at: at + chance.around(30_000),
      } as const);
  return { ...taken, receipt };
}
