/**
 * The primary is killed under load, and its synchronous standby becomes the primary: nothing that was answered 200 is lost or
 * confirmed twice, and the nodes go on by themselves.
 *
 * `COUNTERSIGN_TEST_FAILOVERS=5 npx node --test test/nodes/failover.test.ts` does it five times.
 */
import assert from 'node:assert/strict';
import { randomInt, randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, freshNumber, problemOf } from '../acceptance/client.ts';
import { openGateway } from '../faults/gateway.ts';
import { startOwnPostgres, startStandby } from '../postgres.ts';
import { startStopwatch } from '../stopwatch.ts';
import { severalHosts } from '../store/postgres/rig.ts';
import { startCluster } from './cluster.ts';

const FAILOVERS = Number(process.env.COUNTERSIGN_TEST_FAILOVERS ?? 1);
const CLIENTS = 12;
const LEASE_S = 5;
/** Between the loss of the primary and the promotion, as an operator's watchdog may take; in ms. */
const NOTICED_MS = 500;

for (let round = 1; round <= FAILOVERS; round++) {
  test(`failover ${round} of ${FAILOVERS}: nothing answered 200 is lost or confirmed twice`, async (t) => {
    await using parts = new AsyncDisposableStack();
    const primary = await startOwnPostgres(() => ['-c', 'synchronous_standby_names=*']);
    parts.defer(() => primary.dispose());
    const standby = await startStandby(primary);
    parts.defer(() => standby.dispose());
    const gateway = parts.use(await openGateway());
    const ports = [primary.port, standby.port];
    const { client } = parts.use(
      await startCluster(
        {
          config: {
            limits: { requestsPerKey: [] },
            delivery: { lease: `${LEASE_S}s` },
            carriers: { gateway: gateway.carrier },
            routes: [{ channel: 'sms', carriers: ['gateway'] }],
          },
          env: {
            COUNTERSIGN_STORE_URL: severalHosts(await primary.createDatabase(), ports, 'read-write'),
          },
        },
        primary,
      ),
    );

    /** How often each verification that was answered 200 was confirmed. */
    const promised = new Map<string, number>();
    const statuses = new Map<string, number>();
    const watch = startStopwatch();
    let servedAt: number | undefined;
    let goneAt = Number.POSITIVE_INFINITY;
    const over = new AbortController();
    const codeOf = (id: string) => gateway.received.find((message) => message.id === id)?.code;
    const note = (what: string) => statuses.set(what, (statuses.get(what) ?? 0) + 1);

    async function work(): Promise<void> {
      while (!over.signal.aborted) {
        await sleep(randomInt(100));
        const askedAt = watch.read();
        const answer = await client.verify(freshNumber());
        note(`verify ${answer.status}`);
        if (answer.status !== 200) continue;
        if (askedAt > goneAt) servedAt ??= watch.read();
        const id = answer.json.id ?? '';
        promised.set(id, 0);
        if (randomInt(2) === 0) await confirm(id);
      }
    }

    /** With one idempotency key, until the answer is known. */
    async function confirm(id: string): Promise<void> {
      const code = await eventually(async () => codeOf(id));
      if (code === undefined) return;
      const headers = { 'idempotency-key': randomUUID() };
      for (;;) {
        const answer = await client.confirm(id, code, { headers });
        note(`confirm ${answer.status}`);
        if (answer.status === 200) promised.set(id, 1);
        if (answer.status !== 503) return;
        await sleep(50);
      }
    }

    const working = Promise.all(Array.from({ length: CLIENTS }, work));
    await eventually(async () => (promised.size > 200 ? true : undefined), 30_000);
    const killedAt = watch.read();
    await primary.kill();
    goneAt = watch.read();
    await sleep(NOTICED_MS);
    await standby.promote();
    const promotedAt = watch.read();
    await eventually(async () => servedAt, 120_000);
    await sleep(500);
    over.abort();
    await working;

    const ids = [...promised.keys()];
    await eventually(async () => (ids.every((id) => codeOf(id) !== undefined) ? true : undefined), 30_000);
    const lost = new Set<string>();
    await Promise.all(
      ids.map(async (id) => {
        const guess = () => client.confirm(id, codeOf(id) ?? '');
        for (const answer of [await guess(), await guess()]) {
          if (answer.status === 200) promised.set(id, (promised.get(id) ?? 0) + 1);
          else if (problemOf(answer) !== 'already-confirmed') lost.add(id);
        }
        if (promised.get(id) === 0) lost.add(id);
      }),
    );
    const doubled = ids.filter((id) => (promised.get(id) ?? 0) > 1);
    const away = (((servedAt ?? Number.NaN) - killedAt) / 1_000).toFixed(2);
    t.diagnostic(
      `${ids.length} answered 200, ${lost.size} lost, ${doubled.length} confirmed twice; away for ${away} s (the promotion was done after ${((promotedAt - killedAt) / 1_000).toFixed(2)} s); ${JSON.stringify(Object.fromEntries(statuses))}`,
    );
    assert.deepEqual(
      [...statuses.keys()].filter((what) => !/200|503$/.test(what)),
      [],
    );
    assert.deepEqual([...lost], [], 'nothing is lost');
    assert.deepEqual(doubled, [], 'nothing is confirmed twice');
    assert.ok((servedAt ?? Number.POSITIVE_INFINITY) - promotedAt < LEASE_S * 1_000, `away for ${away} s`);
    assert.ok((statuses.get('verify 503') ?? 0) > 0, 'the primary was missed');
  });
}
