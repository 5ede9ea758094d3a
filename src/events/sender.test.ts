/** The schedule over days, with a clock that is handed in: on a real store, with endpoints that answer as told. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, suite, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { readAuditLog } from '../accounts/audit.ts';
import { addWebhook, enableWebhook, listWebhooks } from '../accounts/webhooks/endpoints.ts';
import { recentMessages, testWebhook } from '../accounts/webhooks/messages.ts';
import { rotateWebhookSecret } from '../accounts/webhooks/secrets.ts';
import { THE_SERVICE } from '../core/accounts/actor.ts';
import type { Records } from '../core/accounts/records.ts';
import { Keyring } from '../core/secrets/keyring.ts';
import type { Store } from '../store/port.ts';
import { openSqliteStore } from '../store/sqlite/store.ts';
import type { PostAnswer } from './post.ts';
import { Sender } from './sender.ts';

const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000];
const ACCOUNT = 'acc_1';
const RULES = {
  limits: { sendsPerDestination: [], failedGuessesPerDestination: [], requestsPerKey: [] },
  retention: {
    ...{ verifications: 30 * DAY, simulatorMessages: DAY, signals: DAY, statistics: DAY, events: 30 * DAY },
  },
};

const status = (code: number, retryAfterMs?: number): PostAnswer => ({
  ...{ kind: 'answered', status: code, retryAfterMs },
});

suite('the sender of webhooks', () => {
  const keyring = new Keyring('a secret of forty characters, for tests..');
  let folder: string;
  let store: Store;
  let now: number;
  /** By URL; 200 if it is not there. Undefined: no answer until the test gives one. */
  let answers: Map<string, () => PostAnswer | undefined>;
  let posted: {
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly at: number;
  }[];
  /** What answers the requests of endpoints that do not answer by themselves, in order. */
  let unanswered: ((answer: PostAnswer) => void)[];
  let logged: string[];
  let tried: string[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'countersign-sender-'));
    store = await openSqliteStore({ dataDir: folder, exclusive: true, ...RULES });
    await store.transact([
      { sql: 'INSERT INTO account (id, name, created_at) VALUES ($1, $1, 0)', args: [ACCOUNT] },
    ]);
    now = Date.parse('2026-11-01T00:00:00Z');
    [answers, posted, unanswered, logged, tried] = [new Map(), [], [], [], []];
  });
  afterEach(async () => {
    await store.close();
    await rm(folder, { recursive: true });
  });

  const newSender = (
    bounds = { perEndpoint: 2, atOnce: 4 },
    node = 'node',
    records: Records = store,
  ): Sender =>
    new Sender({
      ...{ records, queue: store, keyring, node, lease: 15 * SECOND, bounds },
      clock: { now: () => now, steady: () => now },
      openPost: (url) => ({
        send(_, headers) {
          posted.push({ url, headers, at: now });
          const answer = answers.get(url)?.() ?? (answers.has(url) ? undefined : status(200));
          return answer === undefined
            ? new Promise((resolve) => unanswered.push(resolve))
            : Promise.resolve(answer);
        },
        close() {},
      }),
      tried: (result) => tried.push(result),
      log: (_, message) => logged.push(message),
      random: () => 0,
    });

  const add = async (path: string): Promise<string> => {
    const wish = { url: `https://example.com/${path}`, types: [], fullNumbers: false };
    const deps = { records: store, keyring, privateNetworks: [] };
    const made = await addWebhook(deps, { accountId: ACCOUNT, by: THE_SERVICE, now, ...wish });
    assert.ok(made.kind === 'added');
    return made.id;
  };
  const write = async (id: string) => {
    const written = await testWebhook(store, { accountId: ACCOUNT, id, by: THE_SERVICE, now });
    assert.ok(written !== undefined);
    return written;
  };
  /** What start() does, once, and until nothing moves. */
  const round = async (sender: Sender) => {
    await sender.look();
    for (let before = -1; before !== posted.length; ) {
      before = posted.length;
      await sender.findWork();
      await turn();
      await sender.write();
      await turn();
    }
  };
  const stateOf = async (id: string) =>
    (await listWebhooks(store, ACCOUNT, now)).find((each) => each.id === id);
  const messagesOf = async (id: string) => (await recentMessages(store, ACCOUNT, id)).messages;

  test('tries again on schedule, under the same id, until it succeeds', async () => {
    const hook = await add('failing');
    const id = await write(hook);
    const begun = now;
    answers.set('https://example.com/failing', () => status(now - begun < HOUR ? 500 : 200));
    const sender = newSender();
    const tries = [
      0,
      5 * SECOND,
      5 * MINUTE + 5 * SECOND,
      35 * MINUTE + 5 * SECOND,
      155 * MINUTE + 5 * SECOND,
    ];
    await round(sender);
    for (const at of [...tries.slice(1), 4 * HOUR]) {
      now = begun + at - 1;
      await round(sender);
      now += 1;
      await round(sender);
    }
    assert.deepEqual(
      posted.map(({ at }) => at - begun),
      tries,
    );
    assert.deepEqual(new Set(posted.map(({ headers }) => headers['webhook-id'])), new Set([id]));
    assert.deepEqual(
      posted.map(({ headers }) => headers['webhook-timestamp']),
      posted.map(({ at }) => String(at / SECOND)),
    );
    const [message] = await messagesOf(hook);
    assert.deepEqual([message?.state, message?.tries, message?.lastAnswer], ['sent', 5, null]);
    assert.equal(message?.failures.length, 4, 'each is kept');
    assert.deepEqual(tried, ['failed', 'failed', 'failed', 'failed', 'sent']);
    assert.equal((await stateOf(hook))?.failingSince, null);
  });

  test('gives a message up after ten tries, and an endpoint after five days', async () => {
    const hook = await add('dead');
    await write(hook);
    answers.set('https://example.com/dead', () => status(503));
    const sender = newSender();
    const begun = now;
    for (; now - begun < 4 * DAY; now += 30 * MINUTE) await round(sender);
    const [message] = await messagesOf(hook);
    assert.deepEqual([message?.state, message?.tries, message?.lastAnswer], ['given-up', 10, 'HTTP 503']);
    assert.deepEqual(
      message?.failures.map(({ answer }) => answer),
      Array(10).fill('HTTP 503'),
    );
    assert.equal(posted.length, 10);
    assert.equal((await stateOf(hook))?.disabled, null);
    for (; now - begun < 6 * DAY; now += 6 * HOUR) {
      if ((await stateOf(hook))?.disabled === null) await write(hook);
      await round(sender);
      await turn();
    }
    const state = await stateOf(hook);
    assert.deepEqual(state?.disabled, { at: begun + 5 * DAY, why: 'failing' });
    assert.equal(state?.failingSince, begun);
    assert.ok(logged.includes('webhook disabled'));
    const [entry] = (await readAuditLog(store, ACCOUNT)).entries;
    assert.deepEqual([entry?.action, entry?.who, entry?.subject], ['webhook.disabled', 'the service', hook]);
  });

  test('an endpoint that says that it is gone is left alone until it is enabled', async () => {
    const hook = await add('gone');
    await write(hook);
    answers.set('https://example.com/gone', () => status(410));
    const sender = newSender();
    await round(sender);
    await turn();
    await round(sender);
    assert.deepEqual((await stateOf(hook))?.disabled, { at: now, why: 'gone' });
    now += HOUR;
    await round(sender);
    assert.equal(posted.length, 1);
    answers.delete('https://example.com/gone');
    assert.ok(await enableWebhook(store, { accountId: ACCOUNT, id: hook, by: THE_SERVICE, now }));
    await round(sender);
    assert.deepEqual([posted.length, (await messagesOf(hook))[0]?.state], [2, 'sent']);
  });

  test('what asks for quiet gets it', async () => {
    const hook = await add('busy');
    await write(hook);
    answers.set('https://example.com/busy', () => status(429, 10 * MINUTE));
    const sender = newSender();
    await round(sender);
    await write(hook);
    now += 9 * MINUTE;
    await round(sender);
    assert.equal(posted.length, 1);
    answers.delete('https://example.com/busy');
    now += 2 * MINUTE;
    await round(sender);
    assert.equal(posted.length, 3);
  });

  test('endpoints that hang hold up nobody else', async () => {
    const hanging = await Promise.all([add('hangs1'), add('hangs2'), add('hangs3')]);
    for (const name of ['hangs1', 'hangs2', 'hangs3'])
      answers.set(`https://example.com/${name}`, () => undefined);
    const sender = newSender({ perEndpoint: 2, atOnce: 8 });
    for (const id of hanging) for (let i = 0; i < 5; i++) await write(id);
    await round(sender);
    assert.equal(posted.length, 6);
    const healthy = await add('healthy');
    for (let i = 0; i < 50; i++) await write(healthy);
    await round(sender);
    assert.equal(posted.filter(({ url }) => url.endsWith('/healthy')).length, 50);
  });

  test('endpoints that fail get one request each, and at most half of all', async () => {
    const sender = newSender({ perEndpoint: 2, atOnce: 4 });
    const failing = await Promise.all(['a', 'b', 'c', 'd'].map(add));
    for (const id of failing) await write(id);
    for (const name of ['a', 'b', 'c', 'd']) answers.set(`https://example.com/${name}`, () => status(500));
    await round(sender);
    posted = [];
    for (const name of ['a', 'b', 'c', 'd']) answers.set(`https://example.com/${name}`, () => undefined);
    for (const id of failing) for (let i = 0; i < 3; i++) await write(id);
    now += MINUTE;
    await round(sender);
    assert.equal(posted.length, 2);
    const healthy = await add('healthy');
    for (let i = 0; i < 10; i++) await write(healthy);
    await round(sender);
    assert.equal(posted.length, 12);
  });

  test('during a rotation both secrets sign, and then one', async () => {
    const hook = await add('rotating');
    const change = { accountId: ACCOUNT, id: hook, by: THE_SERVICE, now };
    const sender = newSender();
    assert.ok((await rotateWebhookSecret({ records: store, keyring }, change)) !== undefined);
    await write(hook);
    await round(sender);
    now += DAY;
    await write(hook);
    await round(sender);
    const counts = posted.map(({ headers }) => headers['webhook-signature']?.split(' ').length);
    assert.deepEqual(counts, [2, 1]);
  });

  test('another node takes over when the lease ends, and not before', async () => {
    const hook = await add('shared');
    const [first, second] = [newSender(undefined, 'first'), newSender(undefined, 'second')];
    await round(first);
    await write(hook);
    await round(second);
    assert.equal(posted.length, 0);
    now += 15 * SECOND;
    await round(second);
    assert.equal(posted.length, 1);
    await write(hook);
    await first.findWork();
    await turn();
    assert.equal(posted.length, 1, 'a lease that has ended sends nothing');
    await second.stop();
    await round(first);
    assert.equal(posted.length, 2, 'what stops frees its endpoints');
  });

  test('who lost an endpoint settles no failure of it', async () => {
    const hook = await add('slow');
    answers.set('https://example.com/slow', () => undefined);
    const [first, second] = [newSender(undefined, 'first'), newSender(undefined, 'second')];
    const fail = async (which: number, sender: Sender) => {
      unanswered[which]?.(status(500));
      await turn();
      await sender.write();
      return (await messagesOf(hook))[0]?.tries;
    };
    await write(hook);
    await round(first);
    now += 15 * SECOND;
    await round(second);
    assert.equal(unanswered.length, 2);
    assert.equal(await fail(0, first), 0);
    assert.equal(await fail(1, second), 1);
  });

  test('who has an endpoint again has forgotten what it knew of it', async () => {
    const hook = await add('slow');
    answers.set('https://example.com/slow', () => undefined);
    const [first, second] = [newSender(undefined, 'first'), newSender(undefined, 'second')];
    for (let i = 0; i < 3; i++) await write(hook);
    await round(first);
    now += 15 * SECOND;
    answers.set('https://example.com/slow', () => status(posted.length === 3 ? 500 : 200));
    await round(second);
    const states = async () => (await messagesOf(hook)).map(({ state, tries }) => [state, tries]);
    const left = [...[1, 1].map((tries) => ['sent', tries]), ['waiting', 1]];
    assert.deepEqual(await states(), left);
    // Meanwhile the first did not look once.
    now += 15 * SECOND;
    await first.look();
    for (const answer of unanswered) answer(status(500));
    await turn();
    await first.write();
    assert.deepEqual(await states(), left, 'what failed before is not settled');
    await round(first);
    assert.deepEqual([(await states()).at(-1), posted.length], [['sent', 2], 6], 'nothing is sent again');
  });

  test('a node that stops frees no endpoint of another', async () => {
    await add('first');
    const [first, second] = [newSender(undefined, 'first'), newSender(undefined, 'second')];
    await first.look();
    const hook = await add('second');
    await second.look();
    await first.stop();
    await write(hook);
    await round(newSender(undefined, 'third'));
    assert.equal(posted.length, 0);
    await round(second);
    assert.equal(posted.length, 1);
  });

  test('a lease counts from before the store was asked for it', async () => {
    const hook = await add('late');
    let answersAfter = 10 * SECOND;
    const slow: Records = {
      async transact(steps, announce) {
        const answer = await store.transact(steps, announce);
        now += answersAfter;
        return answer;
      },
      keysRevision: () => store.keysRevision(),
    };
    const sender = newSender(undefined, 'slow', slow);
    await sender.look();
    await write(hook);
    [answersAfter, now] = [0, now + 5 * SECOND];
    await sender.findWork();
    await turn();
    assert.equal(posted.length, 0);
  });

  test('what waits in memory is not sent once the lease has ended', async () => {
    const hook = await add('slow');
    answers.set('https://example.com/slow', () => undefined);
    const sender = newSender();
    for (let i = 0; i < 3; i++) await write(hook);
    await round(sender);
    assert.equal(posted.length, 2);
    now += 15 * SECOND;
    unanswered[0]?.(status(200));
    await turn();
    assert.equal(posted.length, 2);
  });
});
