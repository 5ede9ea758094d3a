/**
 * A budget is never passed: by simultaneous requests at two nodes, nor by what is sent again after `kill -9` under load. What
 * a carrier charges is what arrives at it, twice if it comes twice.
 */
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, eventually, freshNumber, problemOf } from '../acceptance/client.ts';
import { accept, openGateway } from '../faults/gateway.ts';
import { type Postgres, startPostgres } from '../postgres.ts';
import { lookAt } from '../store/postgres/rig.ts';
import { startCluster } from './cluster.ts';

/** A start takes most of the time: `COUNTERSIGN_TEST_BUDGET_KILLS=20` is the whole test. */
const KILLS = Number(process.env.COUNTERSIGN_TEST_BUDGET_KILLS ?? 2);
const CLIENTS = 8;
const LEASE_MS = 1_000;
const MILLIONTHS = 1_000_000;
/** Of a message; with it the budget is no multiple of anything. */
const PRICE = 0.07;

suite('budgets of two nodes', () => {
  let postgres: Postgres;
  before(async () => {
    postgres = await startPostgres();
  });
  after(() => postgres.dispose());

  const used = async (url: string) => {
    const query = 'SELECT kind, per, money, messages FROM budget_use ORDER BY kind, per';
    const rows = await lookAt<{ kind: string; per: string; money: string; messages: string }>(url, query);
    return rows.map(({ kind, per, money, messages }) => [
      `${kind} per ${per}`,
      Number(money),
      Number(messages),
    ]);
  };

  test('300 at once take what there is, and the answer names the budget', async () => {
    await using gateway = await openGateway();
    const url = await postgres.createDatabase(postgres.schema);
    await using cluster = await startCluster({
      config: {
        limits: { requestsPerKey: [] },
        carriers: { gateway: { ...gateway.carrier, prices: { default: PRICE } } },
        routes: [{ channel: 'sms', carriers: ['gateway'] }],
        budgets: [
          { of: 'account', per: 'month', money: 2.835 },
          { of: 'installation', per: 'month', messages: 1_000 },
        ],
      },
      env: { COUNTERSIGN_STORE_URL: url },
    });
    const ask = (i: number, number = freshNumber(), headers = {}) =>
      (cluster.nodes[i % 2] ?? cluster).client.verify(number, 'sms', { key: cluster.key, headers });
    const [number, headers] = [freshNumber(), { 'idempotency-key': 'first' }];
    const first = await ask(0, number, headers);
    assert.equal(first.status, 200, first.text);
    const answers = await Promise.all(Array.from({ length: 300 }, (_, i) => ask(i)));
    const refused = answers.filter(({ status }) => status !== 200);
    assert.equal(answers.length - refused.length, 39);
    for (const answer of refused) {
      assert.deepEqual([answer.status, problemOf(answer)], [429, 'budget-exhausted']);
      assert.equal(answer.json.budget, 'account per month');
      assert.ok(Number(answer.headers['retry-after']) > 0);
    }
    assert.equal((await ask(1, number, headers)).json.id, first.json.id, 'a replay is answered as ever');
    await eventually(async () => (gateway.received.length === 40 ? true : undefined), 60_000);
    const spent = Math.round(40 * PRICE * MILLIONTHS);
    assert.deepEqual(await used(url), [
      ['account per month', spent, 40],
      ['installation per month', spent, 40],
    ]);
    const metrics = (await cluster.nodes[0].client.get('/metrics', { key: null })).text;
    assert.match(metrics, /countersign_budget_used_ratio\{budget="account per month"\} 0\.98/);
    assert.match(metrics, /countersign_budget_refused_total\{budget="account per month"\} [1-9]/);
    // What runs writes its log twice a second, and what stops writes all of it.
    assert.equal(await cluster.stop(), 0);
    const logs = cluster.logs().split('\n');
    assert.equal(logs.filter((line) => line.includes('80 % of a budget is used')).length, 1);
  });

  test(`${KILLS} kills under load`, async (t) => {
    await using gateway = await openGateway();
    // Slow enough that every kill finds messages under way; some answers are lost.
    gateway.behave((message, response, request) => {
      if (randomInt(20) === 0) response.destroy();
      else setTimeout(() => accept(message, response, request), randomInt(30));
    });
    const url = await postgres.createDatabase(postgres.schema);
    const messages = 100 + 10 * KILLS;
    const budget = Math.round(messages * PRICE * MILLIONTHS) / MILLIONTHS;
    await using cluster = await startCluster({
      config: {
        limits: { requestsPerKey: [] },
        delivery: { lease: `${LEASE_MS}ms` },
        carriers: {
          gateway: {
            ...gateway.carrier,
            prices: { default: PRICE },
            breaker: { failures: 1_000, resetAfter: '1s' },
          },
        },
        routes: [{ channel: 'sms', carriers: ['gateway'] }],
        budgets: [{ of: 'installation', per: 'month', money: budget }],
      },
      env: { COUNTERSIGN_STORE_URL: url },
    });
    const over = new AbortController();
    let issued = 0;
    let refused = 0;

    async function work(): Promise<void> {
      while (!over.signal.aborted) {
        const client = createClient(cluster);
        try {
          for (let i = 0; i < 20 && !over.signal.aborted; i++) {
            const { status, text } = await client.verify(freshNumber());
            assert.ok(status === 200 || status === 429, text);
            if (status === 200) issued++;
            else refused++;
            await sleep(randomInt(150));
          }
        } catch (error) {
          if (!(error instanceof Error && 'code' in error && /^ECONN|^EPIPE/.test(String(error.code))))
            throw error;
        } finally {
          client.close();
        }
      }
    }

    const clients = Array.from({ length: CLIENTS }, work);
    for (let kill = 0; kill < KILLS; kill++) {
      await sleep(randomInt(50, 300));
      const victim = cluster.nodes[kill % 2];
      await victim?.kill9();
      await victim?.restart();
    }
    await eventually(async () => (refused > 0 ? true : undefined), 120_000);
    over.abort();
    await Promise.all(clients);
    const open = async () => {
      const query =
        'SELECT count(*)::int AS n FROM delivery JOIN reservation USING (verification_id) WHERE spent IS NULL';
      return (await lookAt<{ n: number }>(url, query))[0]?.n;
    };
    // What found no room for another round goes on waiting for it.
    await eventually(async () => ((await open()) === 0 ? true : undefined), 5 * LEASE_MS);

    const times = new Map<string, number>();
    for (const { id } of gateway.received) times.set(id, (times.get(id) ?? 0) + 1);
    const twice = [...times.values()].filter((count) => count > 1).length;
    const charged = Math.round(gateway.received.length * PRICE * MILLIONTHS);
    const [[, counted = 0] = []] = await used(url);
    t.diagnostic(
      `${issued} accepted, ${refused} refused, ${gateway.received.length} messages arrived, ${twice} of them more than once; the budget is ${messages} messages, and ${Math.round(Number(counted) / PRICE / MILLIONTHS)} count`,
    );
    assert.ok(refused > 0, 'the budget was reached');
    assert.ok(charged <= Number(counted), `${charged} were charged and ${counted} count`);
    assert.ok(Number(counted) <= Math.round(budget * MILLIONTHS), `${counted} of ${budget}`);
    // What counts is what ended, and what is still reserved.
    // Of one moment: what waits for room may find some between two questions.
    const [sum] = await lookAt<{ held: string; ended: string; counted: string }>(
      url,
      `SELECT coalesce((SELECT sum(held) FROM reservation), 0) AS held, (
         SELECT count(*) FROM verification
         WHERE NOT EXISTS (SELECT FROM reservation WHERE verification_id = id)) AS ended,
         (SELECT sum(money) FROM budget_use) AS counted`,
    );
    const least = Number(sum?.held) + Number(sum?.ended) * Math.round(PRICE * MILLIONTHS);
    assert.ok(least <= Number(sum?.counted), `${least} of ${sum?.counted}`);
  });
});
