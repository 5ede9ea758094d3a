/** A budget is never passed by simultaneous requests at two nodes. What is sent again after a crash the simulated world plays. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { eventually, freshNumber, problemOf } from '../acceptance/client.ts';
import { openGateway } from '../faults/gateway.ts';
import { type Postgres, startPostgres } from '../postgres.ts';
import { lookAt } from '../store/postgres/rig.ts';
import { startCluster } from './cluster.ts';

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
});
