/** Nodes whose clocks differ, and a node that is stopped and continues: nothing is sent twice, and limits stay exact. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, freshNumber } from '../acceptance/client.ts';
import { createSettableClock, NO_FAKETIME, type SettableClock } from '../faketime.ts';
import { accept, type Gateway, openGateway } from '../faults/gateway.ts';
import { type Cluster, startCluster } from './cluster.ts';

/** Longer than a machine that tests share stands still: what was under way then goes twice. */
const LEASE_S = 4;
/** By then somebody would have taken over what nobody renews. */
const OVER_MS = (LEASE_S + 2) * 1_000;
const AHEAD_S = 30;
const skip = NO_FAKETIME;

async function soon(isSo: () => Promise<boolean> | boolean): Promise<void> {
  assert.ok(await eventually(async () => (await isSo()) || undefined, 30_000), `in vain: ${isSo}`);
}

/** How often the gateway received each message. */
function timesOf(ids: readonly string[], received: readonly { readonly id: string }[]): number[] {
  return ids.map((id) => received.filter((message) => message.id === id).length);
}

suite('two nodes, of which the second has a clock of its own', { concurrency: false }, () => {
  const parts = new AsyncDisposableStack();
  let clock: SettableClock;
  let gateway: Gateway;
  let cluster: Cluster;
  before(async () => {
    clock = await createSettableClock({ after: (remove) => parts.defer(remove) }, AHEAD_S);
    gateway = parts.use(await openGateway());
    cluster = parts.use(
      await startCluster({
        secondEnv: clock.env,
        config: {
          delivery: { lease: `${LEASE_S}s` },
          limits: { sendsPerDestination: ['3/8s'] },
          carriers: { gateway: { ...gateway.carrier, concurrency: 1, timeout: '60s' } },
          routes: [{ channel: 'sms', carriers: ['gateway'] }],
        },
      }),
    );
  });
  after(() => parts.disposeAsync());

  for (const seconds of [AHEAD_S, -AHEAD_S]) {
    test(`${seconds} s off nothing is sent twice, and no limit is exceeded`, { skip }, async () => {
      const [first, second] = cluster.nodes;
      if (seconds !== AHEAD_S) {
        clock.set(seconds);
        await second.restart();
      }
      // Slow, so that every message waits in the memory of its node for a while.
      gateway.behave((...message) => void setTimeout(() => accept(...message), 50));
      const to = { key: first.key };
      const answers = await Promise.all(
        Array.from({ length: 60 }, (_, i) =>
          (i % 2 ? first : second).client.verify(freshNumber(), 'sms', to),
        ),
      );
      assert.ok(answers.every(({ status }) => status === 200));
      const ids = answers.map(({ json }) => String(json.id));
      await soon(() => ids.every((id) => gateway.received.some((message) => message.id === id)));
      await sleep(OVER_MS);
      assert.deepEqual(
        timesOf(ids, gateway.received),
        ids.map(() => 1),
      );

      const destination = freshNumber();
      const asks = Array.from({ length: 12 }, (_, i) =>
        (i % 2 ? first : second).client.verify(destination, 'sms', to),
      );
      const limited = await Promise.all(asks);
      assert.equal(limited.filter(({ status }) => status === 200).length, 3);
      for (const node of cluster.nodes) {
        const refused = await node.client.verify(destination, 'sms', to);
        if (refused.status === 429) assert.ok(Number(refused.headers['retry-after']) <= 8);
      }
      await soon(async () => (await second.client.verify(destination, 'sms', to)).status === 200);
      const { status, text } = await second.client.get('/metrics', { key: null });
      assert.equal(status, 200);
      const [, offset] = /^countersign_clock_offset_seconds (\S+)$/m.exec(text) ?? [];
      assert.ok(Math.abs(Number(offset) - seconds) < 2, `${offset}`);
    });
  }

  test('off by more than a minute it serves nothing, and says so', { skip }, async () => {
    const [first, second] = cluster.nodes;
    clock.set(0);
    await soon(async () => (await second.client.get('/readyz', { key: null })).status === 200);
    clock.set(120);
    await soon(async () => (await second.client.get('/readyz', { key: null })).status === 503);
    const unready = await second.client.get('/readyz', { key: null });
    assert.match(unready.text, /"clock":"1(19|20|21) s ahead of the database's; set it by NTP/);
    const refused = await second.client.verify(freshNumber(), 'sms', { key: first.key, askAgain: false });
    assert.deepEqual([refused.status, refused.headers['retry-after']], [503, '1']);
    assert.equal((await first.client.verify(freshNumber())).status, 200);
    clock.set(0);
    await soon(async () => (await second.client.get('/readyz', { key: null })).status === 200);
  });

  test('one that is stopped for longer than its lease sends nothing that the other has taken over', async () => {
    const [victim, other] = cluster.nodes;
    const held: (() => void)[] = [];
    let isHolding = true;
    gateway.behave((...message) => {
      if (isHolding) held.push(() => accept(...message));
      else accept(...message);
    });
    const before = gateway.received.length;
    const arrived = () => gateway.received.length - before;
    const ids: string[] = [];
    for (let i = 0; i < 20; i++) ids.push(String((await victim.client.verify(freshNumber())).json.id));
    await soon(() => arrived() === 1);
    process.kill(victim.pid, 'SIGSTOP');
    try {
      isHolding = false;
      // One of them for the second time, because nobody knows that it was taken.
      await soon(() => arrived() === 21);
      for (const release of held) release();
    } finally {
      process.kill(victim.pid, 'SIGCONT');
    }
    assert.equal((await victim.client.verify(freshNumber())).status, 200);
    await sleep(OVER_MS);
    const [asked = 0, ...waited] = timesOf(ids, gateway.received);
    assert.deepEqual(
      waited,
      waited.map(() => 1),
      'those that waited for their turn',
    );
    assert.ok(asked <= 2, 'the one whose answer the stopped node did not hear');
    assert.equal((await other.client.get('/readyz', { key: null })).status, 200);
  });
});
