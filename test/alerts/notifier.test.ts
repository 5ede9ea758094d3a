/** Notices to their places, on a real store, with a clock that is handed in: what fails is kept, what is too much goes together. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, suite, test } from 'node:test';
import { placeAlertWebhook, subscribe, unsubscribe } from '../../src/accounts/alerts/channels.ts';
import { LeaderLease } from '../../src/alerts/leader-lease.ts';
import { createMail } from '../../src/alerts/mail.ts';
import { noticeSteps, readRecipients } from '../../src/alerts/notices.ts';
import { Notifier } from '../../src/alerts/notifier.ts';
import { tryOut } from '../../src/alerts/try-out.ts';
import { THE_SERVICE } from '../../src/core/accounts/actor.ts';
import { createManualClock, type ManualClock } from '../../src/core/seams/clock-fixture.ts';
import { Keyring } from '../../src/core/secrets/keyring.ts';
import { query } from '../../src/core/sql/records.ts';
import type { Store } from '../../src/store/port.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { LOOPBACK, openEndpoint } from '../events/endpoint.ts';
import { LAX } from '../store/contract/rig.ts';
import { headerOf, type MailServer, openMailServer } from './mail-server.ts';

const [MINUTE, HOUR] = [60_000, 3_600_000];
const ACCOUNT = 'acc_1';
const PERSON = 'per_1';
const OTHER = 'acc_2';
const COLLEAGUE = 'per_2';

/** A chat: it checks no signature, whose time would be that of the clock of the test. */
async function openChat() {
  const received: { readonly id: string; readonly body: string }[] = [];
  const answer = { status: 200 };
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push({ id: String(request.headers['webhook-id']), body });
    response.writeHead(answer.status).end('ok');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    ...{ url: `http://127.0.0.1:${port}/`, received, answer },
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

suite('the notifier', () => {
  const keyring = new Keyring('a secret of forty characters, for tests..');
  let parts: AsyncDisposableStack;
  let store: Store;
  let clock: ManualClock;
  let endpoint: Awaited<ReturnType<typeof openChat>>;
  let server: MailServer;
  let notifier: Notifier;
  let logged: string[];

  beforeEach(async () => {
    parts = new AsyncDisposableStack();
    const folder = await mkdtemp(join(tmpdir(), 'countersign-notifier-'));
    parts.defer(() => rm(folder, { recursive: true }));
    store = await openSqliteStore({ dataDir: folder, exclusive: true, ...LAX });
    parts.defer(() => store.close());
    clock = createManualClock();
    endpoint = parts.use(await openChat());
    server = parts.use(await openMailServer({ disabledCommands: ['STARTTLS'] }));
    logged = [];
    await store.transact([
      { sql: "INSERT INTO account (id, name, created_at) VALUES ($1, 'Acme', 0)", args: [ACCOUNT] },
      {
        sql: "INSERT INTO person (id, email, name, created_at) VALUES ($1, 'ada@example.com', 'Ada', 0)",
        args: [PERSON],
      },
      {
        sql: "INSERT INTO member (account_id, person_id, role, since) VALUES ($1, $2, 'owner', 0)",
        args: [ACCOUNT, PERSON],
      },
    ]);
    notifier = newCourier();
  });
  afterEach(() => parts.disposeAsync());

  const change = () => ({ accountId: ACCOUNT, by: THE_SERVICE, now: clock.now() });

  function newCourier(leftMs = 60_000, port = server.port): Notifier {
    const smtp = { host: 'localhost', port, encryption: 'none', from: 'alerts@example.org' } as const;
    const mail = createMail(clock, smtp);
    parts.defer(() => mail.close());
    const leaderLease = new LeaderLease({ records: store, clock, node: 'a', lease: 60_000 });
    return new Notifier({
      ...{ records: store, keyring, clock, mail, privateNetworks: LOOPBACK },
      leaderLease: { leftMs, guard: () => leaderLease.guard() },
      webhook: { url: endpoint.url },
      address: 'https://verify.example.com',
      log: (_, message) => void logged.push(message),
      random: () => 0,
    });
  }

  /** Alerts of the account, to its own places. */
  async function write(count = 1, name = 'x', accountId = ACCOUNT): Promise<void> {
    const now = clock.now();
    const recipients = await readRecipients(store, [accountId]);
    const own = { email: [], hasWebhook: false, accounts: false };
    for (let n = 0; n < count; n++) {
      const kept = {
        ...({ id: `alr_${name}_${n}`, rule: 'owner-new', accountId, subject: `${n}` } as const),
        ...{ detail: `Alert ${name} ${n}.`, place: 'people', firingSince: now },
      };
      await store.transact(noticeSteps(store, { kept, notice: 'firing' }, { recipients, own, now }));
    }
  }

  async function withWebhook(url = endpoint.url, accountId = ACCOUNT): Promise<string> {
    const deps = { records: store, keyring, privateNetworks: LOOPBACK };
    const placed = await placeAlertWebhook(deps, { ...change(), accountId }, url);
    assert.ok(placed.kind === 'placed');
    return placed.secret;
  }

  /** Another member of the account, and another account of the same member. */
  async function addOthers(): Promise<void> {
    await store.transact([
      { sql: "INSERT INTO account (id, name, created_at) VALUES ($1, 'Other', 0)", args: [OTHER] },
      {
        sql: "INSERT INTO person (id, email, name, created_at) VALUES ($1, 'bob@example.com', 'Bob', 0)",
        args: [COLLEAGUE],
      },
      ...[
        [ACCOUNT, COLLEAGUE],
        [OTHER, PERSON],
      ].map((args) => ({
        sql: "INSERT INTO member (account_id, person_id, role, since) VALUES ($1, $2, 'owner', 0)",
        args,
      })),
    ]);
  }

  const notices = () =>
    query(store, 'SELECT channel, kind, due_at, sent_at, tries, last_answer FROM alert_notice ORDER BY id');

  test('sends a notice to mail and webhook, once, and signs what a webhook gets', async () => {
    const signed = parts.use(await openEndpoint());
    await subscribe(store, { ...change(), personId: PERSON });
    signed.secrets = [await withWebhook(signed.url)];
    await write();
    assert.equal(await notifier.pass(), undefined, 'nothing waits');
    await notifier.pass();
    assert.equal(server.received.length, 1);
    assert.deepEqual(server.received[0]?.to, ['ada@example.com']);
    assert.deepEqual(signed.faults, [], 'the signature is good');
    const [message] = signed.received;
    const body = JSON.parse(message?.body ?? '{}');
    assert.match(
      body.text,
      /New owner \(Acme\)[\s\S]*Alert x 0\.[\s\S]*https:\/\/verify\.example\.com\/portal\/accounts\/acc_1\/people/,
    );
    assert.equal(signed.received.length, 1);
    assert.deepEqual(
      (await notices()).map(({ due_at, sent_at }) => [due_at, sent_at]),
      [
        [null, clock.now()],
        [null, clock.now()],
      ],
    );
  });

  test('keeps what nobody took, tries again with growing pauses, and gives up after a day', async () => {
    await withWebhook();
    endpoint.answer.status = 500;
    await write();
    const tries: number[] = [];
    for (let next = await notifier.pass(); next !== undefined; next = await notifier.pass()) {
      tries.push(next - clock.now());
      clock.pass(next - clock.now());
    }
    assert.deepEqual(
      tries.slice(0, 9),
      [30, 60, 120, 240, 480, 960, 1_920, 3_600, 3_600].map((seconds) => seconds * 1_000),
    );
    assert.ok(tries.reduce((sum, pause) => sum + pause, 0) <= 24 * HOUR);
    const [notice] = await notices();
    assert.deepEqual([notice?.due_at, notice?.sent_at, notice?.last_answer], [null, null, 'HTTP 500']);
    assert.equal(new Set(endpoint.received.map(({ id }) => id)).size, 1, 'the same message at every try');
    assert.ok(logged.every((line) => line === 'alert not told yet'));
  });

  test('a server that is away holds up neither the other place nor the notice', async () => {
    await subscribe(store, { ...change(), personId: PERSON });
    await withWebhook();
    await write();
    await newCourier(60_000, 1).pass();
    assert.equal(endpoint.received.length, 1);
    assert.equal(server.received.length, 0);
    clock.pass(MINUTE);
    await notifier.pass();
    assert.equal(server.received.length, 1);
    assert.equal(endpoint.received.length, 1);
  });

  test('puts what comes together into one notification', async () => {
    await subscribe(store, { ...change(), personId: PERSON });
    await write(200);
    await notifier.pass();
    assert.equal(server.received.length, 1);
    const [mail] = server.received;
    assert.ok(mail !== undefined);
    assert.equal(headerOf(mail, 'subject'), '[Countersign] 200 alerts: 200 firing');
    assert.match(mail.source, /And 180 more/);
  });

  test('writes ten notifications an hour to one recipient, and the rest in one', async () => {
    await withWebhook();
    for (let n = 0; n < 40; n++) {
      await write(1, `storm-${n}`);
      await notifier.pass();
      clock.pass(MINUTE);
    }
    assert.equal(endpoint.received.length, 10);
    for (let next = await notifier.pass(); next !== undefined; next = await notifier.pass()) {
      clock.pass(Math.max(1, next - clock.now()));
    }
    assert.ok(endpoint.received.length <= 20);
    const told = endpoint.received.flatMap(({ body }) => {
      const { alerts, more } = JSON.parse(body);
      return [alerts.length + more];
    });
    assert.equal(
      told.reduce((sum, count) => sum + count, 0),
      40,
      'nothing is lost, and nothing is told twice',
    );
    assert.ok(Math.max(...told) > 1);
  });

  test('each recipient gets its own notifications, however many another got', async () => {
    await addOthers();
    const recipients = () => server.received.splice(0).flatMap(({ to }) => to);
    await subscribe(store, { ...change(), personId: PERSON });
    for (let n = 0; n < 10; n++) {
      await write(1, `storm-${n}`);
      await notifier.pass();
      clock.pass(MINUTE);
    }
    assert.equal(recipients().length, 10);
    await subscribe(store, { ...change(), personId: COLLEAGUE });
    await subscribe(store, { ...change(), accountId: OTHER, personId: PERSON });
    await write(1, 'one-more');
    await write(1, 'elsewhere', OTHER);
    await notifier.pass();
    assert.deepEqual(recipients().sort(), ['ada@example.com', 'bob@example.com']);
    const waiting = await query(
      store,
      'SELECT account_id, target FROM alert_notice WHERE due_at IS NOT NULL',
    );
    assert.deepEqual(waiting, [{ account_id: ACCOUNT, target: PERSON }]);
  });

  test('sends nothing when the lease is nearly over', async () => {
    await withWebhook();
    await write();
    await newCourier(5_000).pass();
    assert.equal(endpoint.received.length, 0);
    assert.equal((await notices())[0]?.tries, 0);
  });

  test('writes to no member who left or became a viewer, and to no webhook that was removed', async () => {
    await subscribe(store, { ...change(), personId: PERSON });
    await withWebhook();
    await write();
    await query(store, "UPDATE member SET role = 'viewer' WHERE person_id = $1", PERSON);
    await query(store, 'DELETE FROM alert_webhook');
    await notifier.pass();
    assert.deepEqual([server.received.length, endpoint.received.length], [0, 0]);
  });

  test('who wants no more mail of an account gets none, whatever others want and whatever else they want', async () => {
    await addOthers();
    await subscribe(store, { ...change(), personId: PERSON });
    await subscribe(store, { ...change(), personId: COLLEAGUE });
    await subscribe(store, { ...change(), accountId: OTHER, personId: PERSON });
    await write();
    await unsubscribe(store, { ...change(), personId: PERSON });
    await notifier.pass();
    assert.deepEqual(
      server.received.flatMap(({ to }) => to),
      ['bob@example.com'],
    );
  });

  test('an account’s webhook reaches nothing inside', async () => {
    await withWebhook();
    const guarded = new Notifier({
      ...{ records: store, keyring, clock, mail: undefined, webhook: undefined, privateNetworks: [] },
      leaderLease: { leftMs: 60_000, guard: () => ({ sql: '', args: [] }) },
      ...{ address: undefined, log: () => {}, random: () => 0 },
    });
    await write();
    await guarded.pass();
    assert.equal(endpoint.received.length, 0);
    assert.match(String((await notices())[0]?.last_answer), /not on the public Internet/);
  });

  test('a test is sent at once, says what came back, and is not repeated within half a minute', async () => {
    await withWebhook();
    const place = { accountId: ACCOUNT, channel: 'webhook', target: '' } as const;
    const entry = { sql: 'SELECT 1 AS one', args: [] };
    const ask = () =>
      tryOut({ notifier, clock, address: undefined }, store, place, { account: 'Acme', entry });
    assert.deepEqual(await ask(), { kind: 'sent' });
    assert.equal(JSON.parse(endpoint.received[0]?.body ?? '{}').event, 'alert.test');
    const many = await Promise.all(Array.from({ length: 100 }, ask));
    assert.deepEqual(new Set(many.map(({ kind }) => kind)), new Set(['too-soon']));
    await addOthers();
    await withWebhook(endpoint.url, OTHER);
    const elsewhere = { ...place, accountId: OTHER };
    const theirs = { account: 'Other', entry };
    assert.deepEqual(await tryOut({ notifier, clock, address: undefined }, store, elsewhere, theirs), {
      kind: 'sent',
    });
    for (const target of [PERSON, COLLEAGUE]) {
      await subscribe(store, { ...change(), personId: target });
      const mail = { accountId: ACCOUNT, channel: 'email', target } as const;
      const tried = await tryOut({ notifier, clock, address: undefined }, store, mail, theirs);
      assert.deepEqual(tried, { kind: 'sent' });
    }
    clock.pass(MINUTE);
    endpoint.answer.status = 404;
    const again = await Promise.all(Array.from({ length: 100 }, ask));
    assert.deepEqual(
      again.filter(({ kind }) => kind !== 'too-soon'),
      [{ kind: 'failed', answer: 'HTTP 404' }],
    );
  });
});
