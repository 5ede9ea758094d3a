/** The database is killed and comes back under load: 503 while it is down, no other error, and nothing promised is lost. */
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, freshNumber, problemOf } from '../acceptance/client.ts';
import { startOwnPostgres } from '../postgres.ts';
import { startStopwatch } from '../stopwatch.ts';
import { startCluster } from './cluster.ts';

const ROUNDS = Number(process.env.COUNTERSIGN_TEST_NODE_ROUNDS ?? 2);
const CLIENTS = 8;
/** The longest time for an answer while the database is down. */
const BOUND_MS = 6_000;

test(`${ROUNDS} kills of the database under load lose nothing`, async (t) => {
  const postgres = await startOwnPostgres();
  t.after(() => postgres.dispose());
  await using cluster = await startCluster(
    {
      config: { limits: { requestsPerKey: [] }, delivery: { lease: '3s' } },
    },
    postgres,
  );
  const { client } = cluster;
  const promised: { readonly id: string; readonly destination: string }[] = [];
  const statuses = new Map<number, number>();
  const watch = startStopwatch();
  let slowest = 0;
  let lastSuccess = 0;
  const over = new AbortController();

  async function work(): Promise<void> {
    while (!over.signal.aborted) {
      await sleep(randomInt(150));
      const destination = freshNumber();
      const begun = watch.read();
      const answer = await client.verify(destination, 'sms', { askAgain: false });
      slowest = Math.max(slowest, watch.read() - begun);
      // That the machine is slow says nothing of the database.
      if (problemOf(answer) === 'overloaded') continue;
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      if (answer.status === 200) {
        lastSuccess = watch.read();
        promised.push({ id: answer.json.id ?? '', destination });
      } else {
        assert.equal(answer.status, 503, answer.text);
        assert.ok(Number(answer.headers['retry-after']) > 0);
      }
    }
  }

  const clients = Array.from({ length: CLIENTS }, work);
  const recoveries: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await sleep(randomInt(300, 800));
    await postgres.kill();
    // The last time for longer than requests may wait.
    await sleep(round === ROUNDS - 1 ? 6_000 : randomInt(200, 1_500));
    await postgres.start();
    const back = watch.read();
    const recovered = await eventually(async () => (lastSuccess > back ? lastSuccess : undefined), 60_000);
    assert.ok(
      recovered !== undefined && recovered - back <= 2_000,
      `recovered after ${Math.round((recovered ?? 0) - back)} ms`,
    );
    recoveries.push(Math.round(recovered - back));
  }
  over.abort();
  await Promise.all(clients);
  t.diagnostic(
    `answers ${JSON.stringify([...statuses])}, slowest ${Math.round(slowest)} ms, recovery ${recoveries.join(', ')} ms`,
  );
  assert.ok((statuses.get(503) ?? 0) > 0, 'the database was missed');
  assert.ok(slowest < BOUND_MS, `an answer took ${Math.round(slowest)} ms`);

  const rest = [...promised];
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
        const { id, destination } = next;
        const { code } = await client.message(destination, id);
        assert.equal((await client.confirm(id, code)).status, 200);
        assert.equal((await client.confirm(id, code)).status, 409);
      }
    }),
  );
});
