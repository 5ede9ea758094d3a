/** What a carrier did in the last hour, in words. */

import { latencyQuantile } from '../../core/counting/latency-quantile.ts';
import type { LatencyTally, Tally, TallyStore } from '../../core/counting/tally.ts';
import { failuresOf } from '../../core/lookups/lookup-state.ts';
import { HOUR_MS } from '../../core/seams/spans.ts';
import {
  type CarrierState,
  type CarrierStateStore,
  isOperatorsFault,
  LINK_DOWN,
  troubleOf,
} from '../../core/sending/carrier-state.ts';
import { describeUnusable, sumUnusable } from '../../core/sending/unusable-receipts.ts';

export interface CarrierTraffic {
  readonly requested: number;
  readonly tallies: readonly Tally[];
  /** Of the last minutes, while the hour still shows better times. */
  readonly recent: readonly Tally[];
  readonly latencies: readonly LatencyTally[];
  readonly states: readonly CarrierState[];
}

const RECENT_MS = 600_000;
/** Attempts that say something about a carrier, and the share of them that it has to take. */
const LEAST_ATTEMPTS = 10;
const LEAST_TAKEN = 0.1;

export async function readTraffic(
  store: TallyStore & CarrierStateStore,
  now: number,
): Promise<CarrierTraffic> {
  const query = { from: now - HOUR_MS, to: now + 1, by: ['carrier'] } as const;
  const [tallies, recent, latencies, states] = await Promise.all([
    store.tally(query),
    store.tally({ ...query, from: now - RECENT_MS }),
    store.latencies(query),
    store.carrierStates(now),
  ]);
  const requested = tallies.reduce((sum, each) => sum + each.requested, 0);
  return { requested, tallies, recent, latencies, states };
}

/** One line: what it took in the last hour, the results, and how the nodes see it now. */
export function describeTraffic(traffic: CarrierTraffic, carrier: string, now: number): string {
  return [describeHour(traffic, carrier), ...describeStates(traffic.states, carrier, now)].join('; ');
}

/** Recent errors of a carrier that the operator has to fix; undefined if there are none. */
export function describeFaults({ states }: CarrierTraffic, carrier: string, now: number): string | undefined {
  const met = states.flatMap(({ carrier: name, node, lastError }) =>
    name === carrier && lastError !== null && isOperatorsFault(lastError, now)
      ? [`${lastError.reason} (${duration(Math.max(0, now - lastError.at))} ago on ${node})`]
      : [],
  );
  if (met.length === 0) return undefined;
  return `the carrier refuses our ${met.join('; ')}; fix it with the carrier, or in carriers.${carrier}`;
}

/**
 * Nodes that had no link in the last minutes; undefined if there are none. A trial bind may well succeed meanwhile: an SMSC that
 * forgets sessions takes each new one.
 */
export function describeCuts({ states }: CarrierTraffic, carrier: string, now: number): string | undefined {
  const cut = states.flatMap((state) => {
    const { carrier: name, node, lastError } = state;
    if (name !== carrier || lastError === null || troubleOf(state, now) !== 'no-link') return [];
    const reason = lastError.reason.slice(LINK_DOWN.length);
    return [`${node} had no link ${duration(Math.max(0, now - lastError.at))} ago: ${reason}`];
  });
  return cut.length === 0 ? undefined : cut.join('; ');
}

/** Why questions of a look-up had no answer lately; undefined if there was one since. `isOurs`: the operator has to put it right. */
export function describeUnanswered(
  { states }: Pick<CarrierTraffic, 'states'>,
  lookup: string,
  now: number,
): { readonly detail: string; readonly isOurs: boolean } | undefined {
  const failed = failuresOf(states, lookup, now);
  if (failed.length === 0) return undefined;
  const told = failed.map(
    ({ node, reason, at }) => `${reason} (${duration(Math.max(0, now - at))} ago on ${node})`,
  );
  return {
    detail: `a question had no answer: ${told.join('; ')}`,
    isOurs: failed.some((each) => isOperatorsFault(each, now)),
  };
}

/** Receipts of the last hour that were of no use, over all nodes; undefined if there were none. */
export function describeLost({ states }: CarrierTraffic, carrier: string): string | undefined {
  const counts = states.flatMap((state) => (state.carrier === carrier ? [state.unusable ?? {}] : []));
  const lost = describeUnusable(sumUnusable(counts));
  return lost === '' ? undefined : `of its receipts in the last hour ${lost}`;
}

/** Nodes that ask the carrier nothing, or one message at a time; undefined if there are none. */
export function describeAside({ states }: CarrierTraffic, carrier: string): string | undefined {
  const aside = states
    .filter(({ carrier: name, breaker }) => name === carrier && breaker !== 'closed')
    .map(({ node, lastError }) => `set aside on ${node}${lastError ? ` (${lastError.reason})` : ''}`);
  return aside.length === 0 ? undefined : aside.join(', ');
}

/** That it takes next to nothing, where breakers stay closed or close again and again; undefined if it takes enough. */
export function describeRefusing({ recent }: CarrierTraffic, carrier: string): string | undefined {
  const { submitted = 0, failedAttempts = 0 } = recent.find((each) => each.carrier === carrier) ?? {};
  const attempts = submitted + failedAttempts;
  if (attempts < LEAST_ATTEMPTS || submitted >= LEAST_TAKEN * attempts) return undefined;
  return `it took ${submitted} of ${attempts} in the last ten minutes`;
}

function describeHour({ requested, tallies, latencies }: CarrierTraffic, carrier: string): string {
  const tally = tallies.find((each) => each.carrier === carrier);
  if (tally === undefined || tally.submitted === 0) return 'took nothing in the last hour';
  const { submitted, delivered, undelivered, confirmed } = tally;
  const times = (stage: LatencyTally['stage']) => {
    const bins = latencies.find((each) => each.carrier === carrier && each.stage === stage)?.bins ?? [];
    const [half, most] = [latencyQuantile(bins, 0.5), latencyQuantile(bins, 0.95)];
    return half === undefined || most === undefined ? '' : ` (p50 ${duration(half)}, p95 ${duration(most)})`;
  };
  const arrived =
    delivered + undelivered === 0
      ? 'none reported delivered or undelivered'
      : `${percent(delivered, submitted)} delivered${times('delivered')}`;
  return [
    `took ${submitted} in the last hour, ${percent(submitted, requested)} of those requested`,
    arrived,
    `${percent(confirmed, submitted)} confirmed${times('confirmed')}`,
  ].join(', ');
}

function* describeStates(states: readonly CarrierState[], carrier: string, now: number): Generator<string> {
  const own = states.filter((state) => state.carrier === carrier);
  if (own.length > 0) yield `breaker ${own.map(({ node, breaker }) => `${breaker} on ${node}`).join(', ')}`;
  const failed = own.flatMap(({ node, lastError }) => (lastError === null ? [] : [{ node, ...lastError }]));
  const [last] = failed.sort((a, b) => b.at - a.at);
  if (last !== undefined) {
    yield `last error ${duration(Math.max(0, now - last.at))} ago on ${last.node}: ${last.reason}`;
  }
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '-' : `${Math.round((100 * part) / whole)} %`;
}

function duration(ms: number): string {
  if (ms === Number.POSITIVE_INFINITY) return 'over 10 min';
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  if (ms < HOUR_MS) return `${Math.round(ms / 60_000)} min`;
  return `${Math.round(ms / HOUR_MS)} h`;
}
