/**
 * Everything at once: two nodes whose clocks differ by 30 s, connections to PostgreSQL that are cut at random, a
 * gateway whose answers get lost, and a node that is stopped and continues. Nothing is lost or confirmed twice, no cap
 * is exceeded, and a message is sent twice only if nobody could know that it was taken.
 *
 * `COUNTERSIGN_TEST_CHAOS_SECONDS=300 npx node --test test/nodes/chaos.test.ts` runs longer.
 */
import assert from 'node:assert/strict';
import { randomInt, randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, freshNumber } from '../acceptance/client.ts';
import { createSettableClock, NO_FAKETIME } from '../faketime.ts';
import { accept, openGateway } from '../faults/gateway.ts';
import { startPostgres } from '../postgres.ts';
import { startService } from '../service.ts';
import { startCuttingProxy } from '../store/postgres/cutting-proxy.ts';

const SECONDS = Number(process.env.COUNTERSIGN_TEST_CHAOS_SECONDS ?? 24);
/** Longer than the lease. */
const STOPPED_S = Math.min(60, SECONDS / 3);
const LEASE_S = 5;
const AHEAD_S = 30;
const CLIENTS = 6;
const CAP = 60;
const SECRET = 'the secret of two nodes in all this chaos';

/** Tells the gateway which node a message comes from. */
const SECOND = '?node=second';

const oneIn = (count: number) => randomInt(count) === 0;

test(`${SECONDS} s of chaos on two nodes`, async (t) => {
  const clock = NO_FAKETIME === false ? await createSettableClock(t, AHEAD_S) : undefined;
  if (clock === undefined) t.diagnostic(`the clocks agree. ${NO_FAKETIME}`);
  await using parts = new AsyncDisposableStack();
  const postgres = await startPostgres();
  parts.defer(() => postgres.dispose());
  const database = await postgres.createDatabase(postgres.schema);
  const proxies = [
    parts.use(await startCuttingProxy(database)),
    parts.use(await startCuttingProxy(database)),
  ];
  const gateway = parts.use(await openGateway());
  /** Messages of the node that will be stopped, in order of arrival. */
  const ofSecond: string[] = [];
  const unheard = new Set<string>();
  let isFrozen = false;
  gateway.behave((message, response, request) => {
    if (request.url?.endsWith(SECOND)) {
      ofSecond.push(message.id);
      // Already on its way when the node was stopped.
      if (isFrozen) unheard.add(message.id);
    }
    if (!oneIn(50)) return void setTimeout(() => accept(message, response, request), randomInt(30));
    unheard.add(message.id);
    response.destroy();
  });
  const configFor = (query: string) => ({
    limits: { requestsPerKey: [] },
    delivery: { lease: `${LEASE_S}s` },
    carriers: {
      gateway: {
        ...gateway.carrier,
        url: `${gateway.url}${query}`,
        breaker: { failures: 1_000, resetAfter: '1s' },
      },
    },
    routes: [
      { channel: 'sms', countries: ['FR'], carriers: ['gateway'], dailyCap: CAP },
      { channel: 'sms', carriers: ['gateway'] },
    ],
  });
  const env = (index: number) => ({
    COUNTERSIGN_STORE_URL: proxies[index]?.url ?? '',
    COUNTERSIGN_SECRET: SECRET,
  });
  const first = parts.use(await startService({ config: configFor(''), env: env(0) }));
  const second = parts.use(
    await startService({
      config: configFor(SECOND),
      env: { ...env(1), ...clock?.env },
      dataDir: first.dataDir,
      withoutKeys: true,
    }),
  );
  const nodes = [first, second];
  const to = { key: first.key, askAgain: false };

  const promised: { id: string; confirmed: number }[] = [];
  const statuses = new Map<string, number>();
  const note = (what: string) => statuses.set(what, (statuses.get(what) ?? 0) + 1);
  let isStopped = false;
  const over = performance.now() + SECONDS * 1_000;
  const nodeNow = () => (isStopped || oneIn(2) ? first : second);

  /** A stopped node does not answer: clients that wait for it ask the other one. */
  async function ask<Answer>(call: (node: typeof first) => Promise<Answer>): Promise<Answer | undefined> {
    return Promise.race([call(nodeNow()).catch(() => undefined), sleep(8_000, undefined)]);
  }

  async function work(): Promise<void> {
    while (performance.now() < over) {
      const capped = oneIn(3);
      const number = capped ? `+336${String(randomInt(1e8)).padStart(8, '0')}` : freshNumber();
      const answer = await ask(({ client }) => client.verify(number, 'sms', to));
      note(`verify ${answer?.status ?? 'unanswered'}`);
      if (answer?.status !== 200) continue;
      const verification = { id: String(answer.json.id), confirmed: 0 };
      promised.push(verification);
      if (oneIn(2)) await confirm(verification);
    }
  }

  /** Twice at once, and then with one idempotency key until the result is known. */
  async function confirm(verification: (typeof promised)[number]): Promise<void> {
    const { id } = verification;
    const message = await eventually(
      async () => gateway.received.find((received) => received.id === id),
      5_000,
    );
    if (message === undefined) return;
    const headers = { 'idempotency-key': randomUUID() };
    const guess = (more = {}) => ask(({ client }) => client.confirm(id, message.code, { ...to, ...more }));
    const [one, other] = await Promise.all([guess({ headers }), guess()]);
    let known = one;
    for (let i = 0; i < 20 && (known === undefined || known.status === 503); i++) {
      await sleep(200);
      known = await guess({ headers });
    }
    for (const answer of [known, other]) {
      note(`confirm ${answer?.status ?? 'unanswered'}`);
      if (answer?.status === 200) verification.confirmed++;
    }
  }

  async function cut(): Promise<void> {
    for (const proxy of proxies) proxy.cutAfter = () => oneIn(50);
    while (performance.now() < over) {
      await sleep(randomInt(1_000, 4_000));
      proxies[randomInt(2)]?.cutAll();
    }
    for (const proxy of proxies) proxy.cutAfter = () => false;
  }

  /** Messages at the carrier when their node was stopped have an answer that nobody received. */
  async function stop(): Promise<void> {
    await sleep((SECONDS * 1_000) / 3);
    isStopped = true;
    isFrozen = true;
    process.kill(second.pid, 'SIGSTOP');
    for (const id of ofSecond.slice(-100)) unheard.add(id);
    try {
      await sleep(STOPPED_S * 1_000);
    } finally {
      isFrozen = false;
      process.kill(second.pid, 'SIGCONT');
    }
    await sleep(1_000);
    isStopped = false;
  }

  await Promise.all([cut(), stop(), ...Array.from({ length: CLIENTS }, work)]);

  const times = () => Map.groupBy(gateway.received, ({ id }) => id);
  const missing = () => promised.filter(({ id }) => !times().has(id));
  await eventually(async () => (missing().length === 0 ? true : undefined), 30_000);
  await sleep(2 * LEASE_S * 1_000);
  const doubles = [...times()].filter(([, messages]) => messages.length > 1).map(([id]) => id);
  const capped = new Set(
    gateway.received.filter(({ to: number }) => number.startsWith('+33')).map(({ id }) => id),
  );
  t.diagnostic(JSON.stringify(Object.fromEntries(statuses)));
  t.diagnostic(
    `${promised.length} promised, ${gateway.received.length} messages, ${proxies.map(({ cuts }) => cuts).join(' and ')} connections cut after a commit, ${unheard.size} answers of the gateway unheard, ${doubles.length} sent twice, ${capped.size} of a cap of ${CAP}`,
  );
  assert.deepEqual(
    missing().map(({ id }) => id),
    [],
    'nothing is lost',
  );
  assert.ok(
    promised.every(({ confirmed }) => confirmed <= 1),
    'nothing is confirmed twice',
  );
  assert.ok(capped.size <= CAP, `${capped.size} of ${CAP}`);
  assert.deepEqual(
    doubles.filter((id) => !unheard.has(id)),
    [],
    'nothing is sent twice but where the answer was lost',
  );
  assert.ok(proxies.every(({ cuts }) => cuts > 0));
  if (clock !== undefined) {
    const { text } = await second.client.get('/metrics', { key: null });
    const [, offset] = /^countersign_clock_offset_seconds (\S+)$/m.exec(text) ?? [];
    assert.ok(Math.abs(Number(offset) - AHEAD_S) < 2, `the clock of the second was ${offset} s ahead`);
  }
  for (const { client } of nodes) assert.equal((await client.get('/readyz', { key: null })).status, 200);
});
