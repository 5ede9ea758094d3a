/** The carriers and routes in effect, with the account's traffic of the last day. */

import type { Tally, TallyStore } from '../../core/counting/tally.ts';
import { DAY_MS } from '../../core/seams/spans.ts';
import { type Route, thensOf } from '../../core/sending/routing.ts';
import { formatLimit } from '../../core/verification/limits.ts';
import { formatInstant } from '../../operations/instant.ts';
import type { ReloadOutcome } from '../../reload/outcome.ts';
import type { RoutingView } from './contract.ts';
import type { ActiveGeneration, InEffect, ShownCarrier } from './in-effect.ts';
import { priceSpan } from './price-span.ts';

/** For prices that hold wherever no other does. */
const ANYWHERE = ['ZZ'];

export async function viewRouting(
  { generation, last }: ActiveGeneration,
  tallies: Pick<TallyStore, 'tally'>,
  accountId: string,
  now: number,
): Promise<RoutingView> {
  const { config } = generation;
  const counts = await tallies.tally({ accountId, from: now - DAY_MS, to: now + 1, by: ['carrier'] });
  return {
    currency: config.currency,
    reload: last === undefined ? null : showReload(last),
    carriers: await Promise.all(
      Object.entries(config.carriers).map(async ([name, options]) => ({
        ...{ name, channels: [...(await generation.channelsOf(name))] },
        ...showCarrier(options),
        last_day: countsOf(counts.find(({ carrier }) => carrier === name)),
      })),
    ),
    routes: config.routes.map((route, index) => ({ position: index + 1, ...showRoute(route, generation) })),
  };
}

/** Members may know which options are wrong. What is wrong with them is only in the log. */
function showReload({ at, by, ok, changed, problems }: ReloadOutcome) {
  return {
    ...{ at: formatInstant(at), by, ok, changed: [...changed] },
    wrong: problems.map((problem) => problem.split(/[ :]/, 1)[0] ?? ''),
  };
}

function showCarrier({ type, rate, concurrency, timeout, breaker, dailyCap }: ShownCarrier) {
  return {
    type,
    rate: rate === undefined ? null : formatLimit(rate),
    concurrency: concurrency ?? null,
    timeout_ms: timeout,
    breaker: { failures: breaker.failures, reset_after_ms: breaker.resetAfter },
    daily_cap: dailyCap ?? null,
  };
}

function countsOf(tally: Tally | undefined) {
  const { failedAttempts = 0, submitted = 0, delivered = 0, undelivered = 0, confirmed = 0 } = tally ?? {};
  return { attempted: submitted + failedAttempts, submitted, delivered, undelivered, confirmed };
}

function showRoute(route: Route, { simulatedRoutes, priceOf }: InEffect) {
  const { channel, countries = [], prefixes = [], carriers, weights, choose, dailyCap } = route;
  const total = Object.values(weights ?? {}).reduce((sum, weight) => sum + weight, 0);
  const places = countries.length > 0 ? countries : ANYWHERE;
  return {
    channel,
    countries: [...countries],
    prefixes: [...prefixes],
    chooses: choosingOf(route),
    daily_cap: dailyCap ?? null,
    simulated: simulatedRoutes.has(route),
    carriers: carriers.map((name) => {
      const weight = choose === undefined ? weights?.[name] : undefined;
      const prices = places.map((country) =>
        priceOf(name, { channel, destination: { address: prefixes[0] ?? '', country } }),
      );
      return { name, share: weight === undefined ? null : weight / total, ...priceSpan(prices) };
    }),
    legs: thensOf(route).map(({ channel: by, after, carriers: names = [] }) => {
      return { channel: by, after_ms: after ?? null, carriers: [...names] };
    }),
  };
}

function choosingOf({ carriers, choose, weights }: Route): RoutingView['routes'][number]['chooses'] {
  if (carriers.length === 1) return 'only';
  return choose ?? (weights === undefined ? 'order' : 'weights');
}
