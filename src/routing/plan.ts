/** What would happen to a message now, by the routes and by what the store has counted. Nothing is sent. */

import type { TallyStore } from '../core/counting/tally.ts';
import type { Destination } from '../core/destination/destination.ts';
import { composeMessage, coverCode, type MessageOptions } from '../core/message/message.ts';
import { DAY_MS } from '../core/seams/spans.ts';
import type { CarrierStateStore } from '../core/sending/carrier-state.ts';
import type { PriceList } from '../core/sending/prices.ts';
import type { Route } from '../core/sending/routing.ts';
import type { CodePolicy } from '../core/verification/code.ts';
import { explainRoute, type RouteExplanation } from './explanation.ts';
import type { Routing } from './index.ts';

export interface PlanDeps {
  readonly config: {
    readonly routes: readonly Route[];
    readonly carriers: Readonly<Record<string, { readonly dailyCap?: number | undefined }>>;
    readonly currency: string;
  };
  readonly routing: Pick<Routing, 'explain' | 'findSteps' | 'speechOf'>;
  readonly priceOf: PriceList;
  readonly store: Pick<TallyStore, 'tally'> & Pick<CarrierStateStore, 'carrierStates'>;
}

/** What a message would be made of. */
interface Wording {
  readonly messages: MessageOptions;
  readonly code: CodePolicy;
}

export interface Plan {
  readonly explanation: RouteExplanation;
  /** What it would say, with dots in place of the code. */
  readonly sample: string;
}

export interface PlanQuestion {
  readonly route: Route;
  readonly destination: Destination;
  readonly now: number;
}

/** By the configuration in effect. */
export type PlanMessage = (wording: Wording, question: PlanQuestion) => Promise<Plan>;

export async function planMessage(
  { config, routing, priceOf, store }: PlanDeps,
  { messages, code }: Wording,
  { route, destination, now }: PlanQuestion,
): Promise<Plan> {
  const [tallies, states] = await Promise.all([
    store.tally({ from: now - (now % DAY_MS), to: now + 1, by: ['carrier'], test: false }),
    store.carrierStates(now),
  ]);
  const takenToday = tallies.flatMap(({ carrier, submitted }): [string, number][] =>
    carrier === null ? [] : [[carrier, submitted]],
  );
  // A letter first if codes have letters: right-to-left texts need an extra mark before it.
  const sample = (code.alphabet === 'digits' ? '0' : 'A').repeat(code.length);
  const facts = {
    code: sample,
    country: destination.country,
    channel: route.channel,
    validForMs: code.validFor,
  };
  const message = composeMessage(messages, facts);
  const { routes, carriers, currency } = config;
  const explanation = explainRoute({
    ...{ routes, route, destination, message, currency, priceOf, states, now },
    steps: routing.findSteps(route, destination),
    order: routing.explain(route, destination, message.locale),
    speechOf: (carrier) => routing.speechOf(carrier, message.locale),
    capOf: (carrier) => carriers[carrier]?.dailyCap,
    takenToday: new Map(takenToday),
  });
  return { explanation, sample: coverCode({ ...message, code: sample }) };
}
