/**
 * `kill -9` of one of two nodes under load, again and again: the other finishes its deliveries when their leases
 * expire. Everything answered 200 was delivered and can be confirmed with its code, once.
 */
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, eventually, freshNumber, problemOf } from '../acceptance/client.ts';
import { accept, openGateway } from '../faults/gateway.ts';
import { startStopwatch } from '../stopwatch.ts';
import { startCluster } from './cluster.ts';

const ROUNDS = Number(process.env.COUNTERSIGN_TEST_NODE_ROUNDS ?? 2);
const CLIENTS = 8;
const LEASE_MS = 3_000;
const TAKEN_OVER_MS = 15_000;
/** Messages that are not sent yet when a node is killed. */
const WAITING = 40;

test(`${ROUNDS} nodes killed under load lose nothing`, async (t) => {
  await using gateway = await openGateway();
  // Before each kill the gateway delays its answers for a moment, so that messages wait in the memory of both nodes.
  let held: (() => void)[] | undefined;
  gateway.behave((...message) => {
    if (held === undefined) accept(...message);
    else held.push(() => accept(...message));
  });
  await using cluster = await startCluster({
    config: {
      limits: { requestsPerKey: [] },
      delivery: { lease: `${LEASE_MS}ms` },
      carriers: { gateway: { ...gateway.carrier, concurrency: 4 } },
      routes: [{ channel: 'sms', carriers: ['gateway'] }],
    },
  });
  const promised: string[] = [];
  const over = new AbortController();

  /** Requests that a killed node did not answer promise nothing. All others must be answered 200. */
  async function work(): Promise<void> {
    while (!over.signal.aborted) {
      const client = createClient(cluster);
      try {
        for (let i = 0; i < 20 && !over.signal.aborted; i++) {
          const answer = await client.verify(freshNumber());
          assert.equal(answer.status, 200, answer.text);
          promised.push(answer.json.id ?? '');
          await sleep(randomInt(100));
        }
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && /^ECONN|^EPIPE/.test(String(error.code))))
          throw error;
      } finally {
        client.close();
      }
    }
  }

  const codes = new Map<string, Set<string>>();
  let read = 0;
  /** The codes that were sent since the last time. */
  const readNew = () => {
    for (const { id, code } of gateway.received.slice(read))
      codes.set(id, (codes.get(id) ?? new Set()).add(code));
    read = gateway.received.length;
  };
  const missing = (ids: readonly string[] = promised) => {
    readNew();
    return ids.filter((id) => !codes.has(id));
  };

  const clients = Array.from({ length: CLIENTS }, work);
  let slowest = 0;
  let orphaned = 0;
  for (let round = 0; round < ROUNDS; round++) {
    await sleep(randomInt(100, 500));
    held = [];
    // More than the gateway is sent at once: those wait in both nodes, to which the clients go in turn.
    const areWaiting = async () => missing().length >= WAITING || undefined;
    assert.ok(await eventually(areWaiting), 'messages wait in the memory of the nodes');
    const victim = cluster.nodes[round % 2];
    await victim?.kill9();
    const killedAt = Date.now();
    const orphans = missing();
    assert.ok(orphans.length > 0, 'some were left unsent');
    orphaned += orphans.length;
    for (const release of held) release();
    held = undefined;
    const watch = startStopwatch();
    while (missing(orphans).length > 0 && watch.read() < TAKEN_OVER_MS) await sleep(50);
    assert.deepEqual(missing(orphans), [], 'delivered by the other node');
    slowest = Math.max(slowest, Date.now() - killedAt);
    await victim?.restart();
  }
  over.abort();
  await Promise.all(clients);
  const end = Date.now() + 30_000;
  while (missing().length > 0 && Date.now() < end) await sleep(50);
  assert.deepEqual(missing(), []);
  t.diagnostic(
    `${promised.length} answered 200, ${orphaned} of them unsent at a kill; the last was sent ${slowest} ms after one`,
  );

  readNew();
  const check = async (id: string) => {
    const [code = '', ...others] = codes.get(id) ?? [];
    assert.deepEqual(others, [], 'a code may be sent twice, but it is the same one');
    const answers = await Promise.all([cluster.client.confirm(id, code), cluster.client.confirm(id, code)]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
    for (const answer of answers)
      if (answer.status === 409) assert.equal(problemOf(answer), 'already-confirmed');
  };
  const rest = [...promised];
  await Promise.all(
    Array.from({ length: 32 }, async () => {
      for (let id = rest.pop(); id !== undefined; id = rest.pop()) await check(id);
    }),
  );
});
