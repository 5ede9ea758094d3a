/** The service's metrics, for Prometheus. Labels are few and bounded, and never come from a request's content. */
import { collectDefaultMetrics, Registry } from 'prom-client';
import { BASIC_CHANNELS } from '../core/destination/channel.ts';
import type { LookupTold } from '../core/lookups/lookup-state.ts';
import type { Clock } from '../core/seams/clock.ts';
import type { BreakerState, DeliveryMetrics } from '../core/sending/delivery-metrics.ts';
import type { DatabaseWatch } from '../core/sql/database.ts';
import { NODE_VERSION, VERSION } from '../version.ts';
import { createSeries } from './series.ts';

export interface Metrics extends DeliveryMetrics {
  /** Shows how much of each budget is used: `read` answers ratios by its name. */
  watchBudgets(read: () => Promise<Iterable<readonly [string, number]>>): void;
  budgetNearlyUsed(budget: string): void;
  budgetExhausted(budget: string): void;
  /** What the guard decided, and by which of its rules, such as `closed:range4`. */
  guardDecided(decision: string, rule: string): void;
  /** What a message would have cost that the guard refused, in millionths of the currency. */
  guardSaved(amount: number): void;
  /** Shows how many places the guard has closed, by kind. */
  watchGuard(read: () => Iterable<readonly [string, number]>): void;
  /** A question about a number, by what became of it. */
  lookedUp: LookupTold;
  /** A live key's message whose route leads only to the simulator. */
  liveSimulated(channel: string): void;
  /** A message that somebody sent back through a carrier, and what it did. */
  heard(carrier: string, effect: string): void;
  /** One answered HTTP request: the template of its route, its status, and its duration in ms. */
  answered(route: string, status: number, ms: number): void;
  /** Spans of traces, by what became of them. */
  spans(result: 'exported' | 'dropped', count: number): void;
  /** A try of a webhook's message, by what became of it. */
  webhookTried(result: 'sent' | 'failed' | 'given-up'): void;
  /** Shows how many messages of webhooks wait, and since when the oldest does (Unix ms). */
  watchWebhooks(
    read: () => Promise<{ readonly count: number; readonly oldest: number | undefined } | undefined>,
  ): void;
  /** Shows which servers of the database are used, and on how many a commit is. */
  watchDatabase(watch: DatabaseWatch): void;
  /** How many ms this machine's clock is ahead of the store's. */
  clockOffset(ms: number): void;
  /** Until when the served certificate is valid, in ms since 1970. */
  certificateUntil(time: number): void;
  /** All metrics in Prometheus' text format. */
  render(): Promise<string>;
}

/** The media type of `render`. */
export const METRICS_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

const BREAKER_STATES: Record<BreakerState, number> = { closed: 0, 'half-open': 1, open: 2 };

/** In seconds. Answers and hand-overs take milliseconds, carriers up to their timeout, people and receipts minutes. */
const QUICK = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const SLOW = [0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 300, 600];

export interface MetricsSources {
  readonly clock: Pick<Clock, 'wall'>;
  /** How many bytes are free where the store is; absent if it is elsewhere. */
  readonly freeBytes?: (() => Promise<number>) | undefined;
}

export function createMetrics({ clock, freeBytes }: MetricsSources): Metrics {
  const registry = new Registry();
  const { counter, histogram, gauge, info, reading, readings } = createSeries(registry);

  info('build_info', 'The version, and the Node it runs on.', ['version', 'node'], () => [
    [VERSION, NODE_VERSION],
  ]);
  const requested = counter('verifications_requested_total', 'Verifications issued.', 'channel', 'country');
  const submitted = counter('verifications_submitted_total', 'Messages that a carrier took.', ...FUNNEL);
  const delivered = counter('verifications_delivered_total', 'Messages reported delivered.', ...FUNNEL);
  const undelivered = counter('verifications_undelivered_total', 'Messages reported undelivered.', ...FUNNEL);
  const confirmed = counter('verifications_confirmed_total', 'Verifications confirmed.', ...FUNNEL);
  const failed = counter('verifications_failed_total', 'Verifications given up.', 'channel', 'country');
  const simulated = counter(
    'live_simulated_total',
    'Messages of live keys whose route leads only to the simulator.',
    'channel',
  );
  // Present from the start, so that the first one shows as an increase.
  for (const channel of BASIC_CHANNELS) simulated(channel);
  const submitTime = histogram('submit_seconds', 'Request to hand-over.', QUICK, 'channel', 'carrier');
  const deliverTime = histogram('delivery_seconds', 'Request to receipt.', SLOW, 'channel', 'carrier');
  const confirmTime = histogram('confirm_seconds', 'Request to confirmation.', SLOW, 'channel', 'carrier');
  const attempts = counter('carrier_attempts_total', 'Attempts by outcome.', 'carrier', 'outcome');
  const attemptTime = histogram('carrier_attempt_seconds', 'Duration of attempts.', QUICK, 'carrier');
  const unusable = counter(
    'receipts_unusable_total',
    'Receipts that say nothing about a message.',
    'carrier',
    'reason',
  );
  const inbound = counter('inbound_messages_total', 'Messages that people sent back.', 'carrier', 'effect');
  const nearlyUsed = counter(
    'budget_nearly_used_total',
    'Budgets of which 80 % were used in a period.',
    'budget',
  );
  const exhausted = counter('budget_refused_total', 'Messages that a budget had no room for.', 'budget');
  const decided = counter('guard_decisions_total', 'What the guard decided.', 'decision', 'rule');
  const saved = counter(
    'guard_saved_money_total',
    'What messages that the guard refused would have cost at least, in the currency.',
  );
  const lookedUp = counter(
    'lookups_total',
    'Questions about numbers, by what became of them.',
    'lookup',
    'result',
  );
  const lookupErrorTimes = gauge(
    'lookup_last_error_timestamp_seconds',
    'When a question last had no answer, Unix time.',
    'lookup',
  );
  const lookupReasons = new Map<string, string>();
  info(
    'lookup_last_error_info',
    'Why the last question without an answer had none.',
    ['lookup', 'reason'],
    () => lookupReasons,
  );
  const breakers = gauge('carrier_breaker_state', 'Breaker: 0 closed, 1 half-open, 2 open.', 'carrier');
  const errorTimes = gauge(
    'carrier_last_error_timestamp_seconds',
    'When an attempt last failed, Unix time.',
    'carrier',
  );
  const lastReasons = new Map<string, string>();
  info(
    'carrier_last_error_info',
    'Why the last failed attempt failed.',
    ['carrier', 'reason'],
    () => lastReasons,
  );
  const depth = gauge('queue_depth', 'Deliveries that are waiting or under way.').of;
  const clockOffset = gauge('clock_offset_seconds', 'How far this clock is ahead of the database’s.').of;
  let certificateUntil: number | undefined;
  reading('certificate_expiry_seconds', 'Seconds until the served certificate expires.', async () =>
    certificateUntil === undefined ? undefined : (certificateUntil - clock.wall()) / 1_000,
  );
  if (freeBytes !== undefined) {
    // A disk that cannot be asked must not hide the other metrics.
    const readFree = () => freeBytes().catch(() => undefined);
    reading('data_free_bytes', 'Bytes that the service may still write in the data folder.', readFree);
  }
  const spans = counter('trace_spans_total', 'Spans of traces by what became of them.', 'result');
  const webhooks = counter('webhook_tries_total', 'Tries to send a message of a webhook.', 'result');
  const answers = counter('http_requests_total', 'HTTP requests answered.', 'route', 'status');
  const answerTime = histogram('http_request_seconds', 'Duration of HTTP requests.', QUICK, 'route');

  let rendered = false;
  return {
    requested: (channel, country) => requested(channel, bound(country)).inc(),
    attempted: (carrier, outcome, ms) => {
      attempts(carrier, outcome).inc();
      attemptTime(carrier).observe(ms / 1_000);
    },
    submitted: (channel, country, carrier, ms) => {
      submitted(channel, bound(country), carrier).inc();
      submitTime(channel, carrier).observe(ms / 1_000);
    },
    delivered: (channel, country, carrier, ms) => {
      delivered(channel, bound(country), carrier).inc();
      deliverTime(channel, carrier).observe(ms / 1_000);
    },
    undelivered: (channel, country, carrier) => undelivered(channel, bound(country), carrier).inc(),
    confirmed: (channel, country, carrier, ms) => {
      confirmed(channel, bound(country), carrier).inc();
      confirmTime(channel, carrier).observe(ms / 1_000);
    },
    failed: (channel, country) => failed(channel, bound(country)).inc(),
    liveSimulated: (channel) => simulated(channel).inc(),
    watchBudgets: (read) => {
      // A store that cannot be asked must not hide the other metrics.
      const safely = () => read().catch(() => []);
      const help = 'The share of a budget that is used or reserved; of several of one kind, of the fullest.';
      readings('budget_used_ratio', help, 'budget', safely);
    },
    budgetNearlyUsed: (budget) => nearlyUsed(budget).inc(),
    budgetExhausted: (budget) => exhausted(budget).inc(),
    guardDecided: (decision, rule) => decided(decision, rule).inc(),
    guardSaved: (amount) => saved().inc(amount / 1e6),
    watchGuard: (read) => {
      const help = 'Places that the guard has closed, on this node.';
      readings('guard_closed_places', help, 'kind', async () => read());
    },
    lookedUp: (lookup, failure) => {
      lookedUp(lookup, failure === undefined ? 'answered' : 'failed').inc();
      if (failure === undefined) return;
      lookupErrorTimes.of(lookup).set(failure.at / 1_000);
      lookupReasons.set(lookup, failure.reason);
    },
    heard: (carrier, effect) => inbound(carrier, effect).inc(),
    breaker: (carrier, state) => breakers.of(carrier).set(BREAKER_STATES[state]),
    erred: (carrier, reason, at) => {
      errorTimes.of(carrier).set(at / 1_000);
      lastReasons.set(carrier, reason);
    },
    dismissed: (carrier) => {
      breakers.remove(carrier);
      errorTimes.remove(carrier);
      lastReasons.delete(carrier);
    },
    unusable: (carrier, why, count) => unusable(carrier, why).inc(count),
    queueDepth: (deliveries) => depth().set(deliveries),
    spans: (result, count) => spans(result).inc(count),
    webhookTried: (result) => webhooks(result).inc(),
    watchWebhooks: (read) => {
      // A store that cannot be asked must not hide the other metrics.
      const safely = () => read().catch(() => undefined);
      reading(
        'webhook_messages_waiting',
        'Messages of webhooks that are not sent yet.',
        async () => (await safely())?.count,
      );
      reading('webhook_oldest_seconds', 'Age of the oldest of them.', async () => {
        const { oldest } = (await safely()) ?? {};
        return oldest === undefined ? undefined : Math.max(0, clock.wall() - oldest) / 1_000;
      });
    },
    watchDatabase: (watch) => {
      const help = 'What each server of the database was when it was last asked, in the last minute.';
      info('store_server_info', help, ['server', 'state'], () =>
        watch.servers.map(({ server, state }) => [server, state]),
      );
      // A store that cannot be asked must not hide the other metrics.
      const safely = () => watch.countSynchronous().catch(() => undefined);
      reading(
        'store_synchronous_standbys',
        'Standbys that commits wait for; with 0, what is answered 200 is on one disk.',
        safely,
      );
    },
    clockOffset: (ms) => clockOffset().set(ms / 1_000),
    certificateUntil: (time) => {
      certificateUntil = time;
    },
    answered: (route, status, ms) => {
      answers(route, String(status)).inc();
      answerTime(route).observe(ms / 1_000);
    },
    render: () => {
      // The process metrics watch the event loop and garbage collection, which has a cost: only once someone scrapes.
      if (!rendered) collectDefaultMetrics({ register: registry });
      rendered = true;
      return registry.metrics();
    },
  };
}

const FUNNEL = ['channel', 'country', 'carrier'] as const;

/** Limits the label to its 677 possible values. */
function bound(country: string): string {
  return /^[A-Z]{2}$/.test(country) ? country : 'ZZ';
}
