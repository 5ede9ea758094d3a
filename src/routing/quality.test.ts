import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import {
  LATENCY_BOUNDS,
  type LatencyTally,
  type Tally,
  type TallyQuery,
  type TallyStore,
} from '../core/counting/tally.ts';
import { StoreUnavailable } from '../core/errors/store-failure.ts';
import { expectationOf } from './belief.ts';
import { Quality } from './quality.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const MINUTE = 60_000;

type Facts = Pick<Tally, 'country' | 'carrier' | 'submitted' | 'confirmed'>;

/** A store with the data of a test that records its queries. */
class Tallies implements TallyStore {
  readonly asked: TallyQuery[] = [];
  readonly rows: Tally[] = [];
  readonly latencyRows: LatencyTally[] = [];
  away = false;

  add(at: number, facts: Facts): void {
    const nothing = { requested: 0, delivered: 0, undelivered: 0, failed: 0, mismatched: 0, cost: 0 };
    const limited = { failedAttempts: 0, limitedByKey: 0, limitedByDestination: 0 };
    this.rows.push({ ...nothing, ...limited, ...facts, time: at, channel: 'sms', keyId: null });
  }

  async tally(query: TallyQuery): Promise<Tally[]> {
    if (this.away) throw new StoreUnavailable('away');
    this.asked.push(query);
    return this.rows.filter(({ time }) => (time ?? 0) >= query.from && (time ?? 0) < query.to);
  }

  async latencies(): Promise<LatencyTally[]> {
    return this.latencyRows;
  }
}

suite('quality', () => {
  let tallies: Tallies;
  let quality: Quality;
  beforeEach(() => {
    tallies = new Tallies();
    quality = new Quality(tallies, ['a', 'b']);
  });
  const expected = (carrier: string, country = 'DE') =>
    expectationOf(quality.belief('sms', country, carrier));

  test('it learns only from live traffic', async () => {
    await quality.learn(NOW);
    assert.ok(tallies.asked.every(({ test }) => test === false));
  });

  test('learns by country, about the carriers that it can choose from', async () => {
    const at = NOW - 20 * MINUTE;
    tallies.add(at, { country: 'DE', carrier: 'a', submitted: 100, confirmed: 90 });
    tallies.add(at, { country: 'DE', carrier: 'b', submitted: 100, confirmed: 40 });
    tallies.add(at, { country: 'DE', carrier: 'other', submitted: 100, confirmed: 99 });
    tallies.add(at, { country: 'DE', carrier: null, submitted: 0, confirmed: 0 });
    await quality.learn(NOW);
    assert.ok(expected('a') > 0.8 && expected('b') < 0.5);
    assert.equal(quality.belief('sms', 'DE', 'a').sent, 100);
    assert.equal(quality.belief('sms', 'DE', 'other').sent, 0);
    assert.equal(quality.belief('voice', 'DE', 'a').sent, 0);
  });

  test('the rate of a carrier in other countries is the prior, and weighs little', async () => {
    const at = NOW - 20 * MINUTE;
    tallies.add(at, { country: 'FR', carrier: 'b', submitted: 1_000, confirmed: 100 });
    await quality.learn(NOW);
    assert.ok(expected('b') < 0.2 && expected('a') > 0.7);
    const { alpha, beta } = quality.belief('sms', 'DE', 'b');
    assert.ok(alpha + beta <= 10.1);
  });

  test('a carrier that goes silent is noticed within a minute', async () => {
    for (let time = NOW - 60 * MINUTE; time < NOW; time += 10_000) {
      tallies.add(time, {
        country: 'DE',
        carrier: 'a',
        submitted: 20,
        confirmed: time < NOW - MINUTE ? 18 : 0,
      });
    }
    await quality.learn(NOW);
    assert.ok(expected('a') < 0.2, `${expected('a')}`);
  });

  test('it reads little each second, now and then everything that may still change, and an hour at first', async () => {
    await quality.learn(NOW);
    await quality.learn(NOW + 1_000);
    await quality.learn(NOW + 15_000);
    const spans = tallies.asked.map(({ from, to }) => Math.round((to - from) / MINUTE));
    assert.deepEqual(spans, [60, 2, 10]);
  });

  test('a late confirmation is learnt, and counted once', async () => {
    const at = NOW - 5 * MINUTE;
    tallies.add(at, { country: 'DE', carrier: 'a', submitted: 100, confirmed: 50 });
    await quality.learn(NOW);
    const before = expected('a');
    tallies.rows.splice(0);
    tallies.add(at, { country: 'DE', carrier: 'a', submitted: 100, confirmed: 90 });
    await quality.learn(NOW + 15_000);
    assert.ok(expected('a') > before + 0.2);
    assert.equal(quality.belief('sms', 'DE', 'a').sent, 100);
  });

  test('what was learnt stays while the store is unavailable', async () => {
    tallies.add(NOW - 20 * MINUTE, { country: 'DE', carrier: 'b', submitted: 100, confirmed: 40 });
    await quality.learn(NOW);
    const before = expected('b');
    tallies.away = true;
    await assert.rejects(quality.learn(NOW + 1_000), StoreUnavailable);
    assert.equal(expected('b'), before);
  });

  test('after an hour it is forgotten', async () => {
    tallies.add(NOW - 20 * MINUTE, { country: 'DE', carrier: 'b', submitted: 100, confirmed: 40 });
    await quality.learn(NOW);
    await quality.learn(NOW + 60 * MINUTE);
    assert.equal(quality.belief('sms', 'DE', 'b').sent, 0);
    assert.ok(expected('b', 'FR') > 0.7, 'by the prior of other countries, too');
  });

  test('if confirmations are slow, it waits longer for recent messages', async () => {
    tallies.add(NOW - 30_000, { country: 'DE', carrier: 'a', submitted: 100, confirmed: 10 });
    await quality.learn(NOW);
    const hasty = expected('a');
    const bins = [...LATENCY_BOUNDS, Number.POSITIVE_INFINITY].map((bound) =>
      bound === 120_000 ? 1_000 : 0,
    );
    const group = { time: null, channel: 'sms', country: 'DE', carrier: 'a', keyId: null } as const;
    tallies.latencyRows.push({ ...group, stage: 'confirmed', bins });
    tallies.latencyRows.push({ ...group, stage: 'submitted', bins: bins.toReversed() });
    await quality.learn(NOW + 15_000);
    assert.ok(expected('a') > hasty + 0.2, `${hasty} ${expected('a')}`);
  });
});
