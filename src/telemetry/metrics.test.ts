import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import project from '../../package.json' with { type: 'json' };
import { SYSTEM_CLOCK } from '../core/seams/clock.ts';
import type { ServerNote } from '../core/sql/database.ts';
import { createMetrics } from './metrics.ts';

/** The lines of a family, without the comments. */
async function linesOf(metrics: { render(): Promise<string> }, name: string): Promise<string[]> {
  const lines = (await metrics.render()).split('\n');
  return lines.filter((line) => line.startsWith(`countersign_${name}`));
}

test('the funnel is counted by channel, country and carrier', async () => {
  const metrics = createMetrics({ clock: SYSTEM_CLOCK });
  metrics.requested('sms', 'DE');
  metrics.requested('sms', 'DE');
  metrics.requested('voice', 'US');
  metrics.submitted('sms', 'DE', 'smsc', 4);
  metrics.delivered('sms', 'DE', 'smsc', 2_000);
  metrics.undelivered('sms', 'DE', 'smsc');
  metrics.confirmed('sms', 'DE', 'smsc', 9_000);
  metrics.failed('voice', 'US');
  assert.deepEqual(await linesOf(metrics, 'verifications_'), [
    'countersign_verifications_requested_total{channel="sms",country="DE"} 2',
    'countersign_verifications_requested_total{channel="voice",country="US"} 1',
    'countersign_verifications_submitted_total{channel="sms",country="DE",carrier="smsc"} 1',
    'countersign_verifications_delivered_total{channel="sms",country="DE",carrier="smsc"} 1',
    'countersign_verifications_undelivered_total{channel="sms",country="DE",carrier="smsc"} 1',
    'countersign_verifications_confirmed_total{channel="sms",country="DE",carrier="smsc"} 1',
    'countersign_verifications_failed_total{channel="voice",country="US"} 1',
  ]);
});

test('the version, and the Node it runs on', async () => {
  assert.deepEqual(await linesOf(createMetrics({ clock: SYSTEM_CLOCK }), 'build_info'), [
    `countersign_build_info{version="${project.version}",node="${process.versions.node}"} 1`,
  ]);
});

test('latencies are in seconds', async () => {
  const metrics = createMetrics({ clock: SYSTEM_CLOCK });
  metrics.submitted('sms', 'DE', 'smsc', 4);
  metrics.delivered('sms', 'DE', 'smsc', 2_000);
  metrics.confirmed('sms', 'DE', 'smsc', 9_000);
  const labels = '{channel="sms",carrier="smsc"}';
  const [submit] = await linesOf(metrics, 'submit_seconds_sum');
  const [delivery] = await linesOf(metrics, 'delivery_seconds_sum');
  const [confirm] = await linesOf(metrics, 'confirm_seconds_sum');
  assert.deepEqual(
    [submit, delivery, confirm],
    [
      `countersign_submit_seconds_sum${labels} 0.004`,
      `countersign_delivery_seconds_sum${labels} 2`,
      `countersign_confirm_seconds_sum${labels} 9`,
    ],
  );
});

test('attempts, breakers, the queue and answers', async () => {
  const metrics = createMetrics({ clock: SYSTEM_CLOCK });
  metrics.attempted('smsc', 'temporary', 30);
  metrics.attempted('smsc', 'accepted', 20);
  metrics.breaker('smsc', 'open');
  metrics.breaker('gateway', 'open');
  metrics.breaker('gateway', 'half-open');
  metrics.queueDepth(7);
  metrics.answered('/verify', 200, 3);
  metrics.answered('/verify', 429, 1);
  assert.deepEqual(await linesOf(metrics, 'carrier_attempts_total'), [
    'countersign_carrier_attempts_total{carrier="smsc",outcome="temporary"} 1',
    'countersign_carrier_attempts_total{carrier="smsc",outcome="accepted"} 1',
  ]);
  assert.deepEqual(await linesOf(metrics, 'carrier_attempt_seconds_count'), [
    'countersign_carrier_attempt_seconds_count{carrier="smsc"} 2',
  ]);
  assert.deepEqual(await linesOf(metrics, 'carrier_breaker_state'), [
    'countersign_carrier_breaker_state{carrier="smsc"} 2',
    'countersign_carrier_breaker_state{carrier="gateway"} 1',
  ]);
  assert.deepEqual(await linesOf(metrics, 'queue_depth'), ['countersign_queue_depth 7']);
  assert.deepEqual(await linesOf(metrics, 'http_requests_total'), [
    'countersign_http_requests_total{route="/verify",status="200"} 1',
    'countersign_http_requests_total{route="/verify",status="429"} 1',
  ]);
  assert.deepEqual(await linesOf(metrics, 'http_request_seconds_count'), [
    'countersign_http_request_seconds_count{route="/verify"} 2',
  ]);
});

test('of each carrier the last error is told, and none before it', async () => {
  const metrics = createMetrics({ clock: SYSTEM_CLOCK });
  assert.deepEqual(await linesOf(metrics, 'carrier_last_error'), []);
  metrics.erred('smsc', 'throttled', 1_000_500);
  metrics.erred('gateway', 'HTTP 503', 1_000_000);
  await metrics.render();
  metrics.erred('smsc', 'no answer in time', 1_002_000);
  assert.deepEqual(await linesOf(metrics, 'carrier_last_error'), [
    'countersign_carrier_last_error_timestamp_seconds{carrier="smsc"} 1002',
    'countersign_carrier_last_error_timestamp_seconds{carrier="gateway"} 1000',
    'countersign_carrier_last_error_info{carrier="smsc",reason="no answer in time"} 1',
    'countersign_carrier_last_error_info{carrier="gateway",reason="HTTP 503"} 1',
  ]);
});

test('the served certificate’s time is told from when it is known, and runs out', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: 1_000_000 });
  const metrics = createMetrics({ clock: SYSTEM_CLOCK });
  const remaining = () => linesOf(metrics, 'certificate_expiry_seconds');
  assert.deepEqual(await remaining(), [], 'behind a proxy there is none');
  metrics.certificateUntil(1_090_500);
  assert.deepEqual(await remaining(), ['countersign_certificate_expiry_seconds 90.5']);
  t.mock.timers.tick(100_000);
  assert.deepEqual(await remaining(), ['countersign_certificate_expiry_seconds -9.5']);
  metrics.certificateUntil(2_100_000);
  assert.deepEqual(await remaining(), ['countersign_certificate_expiry_seconds 1000']);
});

test('free space is read with each scrape, and a disk that cannot be asked hides nothing else', async () => {
  const answers = [7, 5, Number.NaN, 6];
  const freeBytes = async () => {
    const bytes = answers.shift() ?? 0;
    if (Number.isNaN(bytes)) throw new Error('EIO');
    return bytes;
  };
  const metrics = createMetrics({ clock: SYSTEM_CLOCK, freeBytes });
  metrics.queueDepth(1);
  for (const expected of [['7'], ['5'], [], ['6']]) {
    const text = await metrics.render();
    assert.match(text, /^countersign_queue_depth 1$/m);
    assert.deepEqual(
      Array.from(text.matchAll(/^countersign_data_free_bytes (\S+)$/gm), ([, value]) => value),
      expected,
    );
  }
  assert.deepEqual(
    await linesOf(createMetrics({ clock: SYSTEM_CLOCK }), 'data_free'),
    [],
    'the store is elsewhere',
  );
});

test('spans are counted by what became of them', async () => {
  const metrics = createMetrics({ clock: SYSTEM_CLOCK });
  metrics.spans('exported', 512);
  metrics.spans('dropped', 3);
  metrics.spans('exported', 1);
  assert.deepEqual(await linesOf(metrics, 'trace_spans_total'), [
    'countersign_trace_spans_total{result="exported"} 513',
    'countersign_trace_spans_total{result="dropped"} 3',
  ]);
});

test('a late event loop is seen in its 99th percentile', async () => {
  const metrics = createMetrics({ clock: SYSTEM_CLOCK });
  const readLag = async () =>
    Number(/^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(await metrics.render())?.[1]);
  // The first scrape turns the watch on.
  await readLag();
  // The block has to lie between two looks of the watch.
  const look = () => setTimeout(20);
  await look();
  const end = performance.now() + 300;
  while (performance.now() < end);
  await look();
  const lag = await readLag();
  assert.ok(lag > 0.2, `${lag} s`);
});

test('anything but a country is ZZ, so that labels stay few', async () => {
  const metrics = createMetrics({ clock: SYSTEM_CLOCK });
  for (const country of ['', 'de', 'DEU', '+4915123456789', 'D1']) metrics.requested('sms', country);
  assert.deepEqual(await linesOf(metrics, 'verifications_requested_total'), [
    'countersign_verifications_requested_total{channel="sms",country="ZZ"} 5',
  ]);
});

test('the process has metrics too, and each instance its own registry', async () => {
  const [one, other] = [createMetrics({ clock: SYSTEM_CLOCK }), createMetrics({ clock: SYSTEM_CLOCK })];
  one.requested('sms', 'DE');
  const text = await one.render();
  assert.match(text, /^process_resident_memory_bytes \d+/m);
  assert.match(text, /^nodejs_eventloop_lag_seconds /m);
  assert.equal(await one.render().then((again) => again.includes('requested_total{')), true);
  assert.deepEqual(await linesOf(other, 'verifications_requested_total{'), []);
});

test('budgets show how much of them is used, and a store that is away hides nothing else', async () => {
  const metrics = createMetrics({ clock: SYSTEM_CLOCK });
  let away = false;
  metrics.watchBudgets(async () => {
    if (away) throw new Error('away');
    return [['account per day', 0.5]];
  });
  assert.match(await metrics.render(), /^countersign_budget_used_ratio\{budget="account per day"\} 0\.5$/m);
  away = true;
  const text = await metrics.render();
  assert.doesNotMatch(text, /budget_used_ratio\{/);
  assert.match(text, /countersign_build_info/);
});

test('the servers of the database are shown, and how many standbys commits wait for', async () => {
  const metrics = createMetrics({ clock: SYSTEM_CLOCK });
  let synchronous: number | undefined = 0;
  let servers: ServerNote[] = [
    { server: 'db1:5432', state: 'left-behind' },
    { server: 'db2:5432', state: 'used' },
  ];
  let away = false;
  metrics.watchDatabase({
    get servers() {
      return servers;
    },
    async countSynchronous() {
      if (away) throw new Error('away');
      return synchronous;
    },
  });
  assert.deepEqual(await linesOf(metrics, 'store_'), [
    'countersign_store_server_info{server="db1:5432",state="left-behind"} 1',
    'countersign_store_server_info{server="db2:5432",state="used"} 1',
    'countersign_store_synchronous_standbys 0',
  ]);
  servers = servers.slice(1);
  synchronous = undefined;
  const alone = ['countersign_store_server_info{server="db2:5432",state="used"} 1'];
  assert.deepEqual(await linesOf(metrics, 'store_'), alone, 'a role that may not see it tells nothing');
  away = true;
  assert.deepEqual(await linesOf(metrics, 'store_'), alone);
});

test('the guard shows what it decided, what is closed and what it saved', async () => {
  const metrics = createMetrics({ clock: SYSTEM_CLOCK });
  let closed = 2;
  metrics.watchGuard(() => [['range4', closed]]);
  for (const rule of ['closed:range4', 'closed:range4', 'bombing']) metrics.guardDecided('refuse', rule);
  for (const amount of [20_000, 45_500]) metrics.guardSaved(amount);
  closed += 1;
  assert.deepEqual(await linesOf(metrics, 'guard_'), [
    'countersign_guard_decisions_total{decision="refuse",rule="closed:range4"} 2',
    'countersign_guard_decisions_total{decision="refuse",rule="bombing"} 1',
    'countersign_guard_saved_money_total 0.0655',
    'countersign_guard_closed_places{kind="range4"} 3',
  ]);
});

test('a look-up shows how its questions went, and why the last one failed', async () => {
  const metrics = createMetrics({ clock: SYSTEM_CLOCK });
  metrics.lookedUp('swapped', undefined);
  for (const reason of ['HTTP 503', 'HTTP 403'])
    metrics.lookedUp('swapped', { reason, at: 1_800_000_000_000 });
  assert.deepEqual(await linesOf(metrics, 'lookup'), [
    'countersign_lookups_total{lookup="swapped",result="answered"} 1',
    'countersign_lookups_total{lookup="swapped",result="failed"} 2',
    'countersign_lookup_last_error_timestamp_seconds{lookup="swapped"} 1800000000',
    'countersign_lookup_last_error_info{lookup="swapped",reason="HTTP 403"} 1',
  ]);
});
