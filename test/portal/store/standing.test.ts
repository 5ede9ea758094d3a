/** A member's role changes, or their membership ends, while one of their requests is under way. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Answer, freshNumber, problemOf } from '../../acceptance/client.ts';
import { startPostgres } from '../../postgres.ts';
import { startService } from '../../service.ts';
import { listRoutes, SAMPLES } from '../catalogue.ts';
import { firstAccount, openPortal, read, readMe } from '../rig.ts';

/** Routes that only read, though they have a body. */
const LOOKS = [
  'POST accounts/{account}/verifications/search',
  'POST accounts/{account}/keys/search',
  'POST accounts/{account}/guard/backtest',
  'POST accounts/{account}/explain',
];

test('a member’s change is refused once they are no longer allowed to make it, however late that happens', async (t) => {
  await using parts = new AsyncDisposableStack();
  const postgres = await startPostgres();
  parts.defer(() => postgres.dispose());
  const url = await postgres.createDatabase(postgres.schema);
  const env = { COUNTERSIGN_STORE_URL: url, COUNTERSIGN_SECRET: randomBytes(32).toString('hex') };
  // Nobody listens there: what is tried out fails.
  const config = { smtp: { host: 'localhost', port: 1, encryption: 'none', from: 'alerts@example.com' } };
  const service = parts.use(await startService({ env, config, withoutKeys: true }));
  const database = new pg.Client({ connectionString: url });
  await database.connect();
  parts.defer(() => database.end());
  const rows = async (sql: string, ...values: unknown[]) => (await database.query(sql, values)).rows;

  const portal = await openPortal(t, service);
  const owner = await portal.setUp();
  const { id: account } = await firstAccount(owner);
  const path = `/portal/api/accounts/${account}`;
  const restrictions = { channels: [], countries: [], sources: [] };
  const body = { name: 'shop', test: true, expires_at: null, restrictions };
  const made = read<{ key: { id: string }; secret: string }>(await owner.post(`${path}/keys`, body));
  const destination = freshNumber();
  const sent = await service.client.issue(destination, 'sms', { key: made.secret });
  const wanted = { email: 'later@example.com', role: 'viewer' };
  const invited = read<{ id: string }>(await owner.post(`${path}/invitations`, wanted));
  const guest = await portal.join(owner, 'owner', 'guest@example.com');
  await owner.post(`${path}/do-not-send/numbers`, { number: freshNumber() });
  const listed = read<{ numbers: { id: string }[] }>(await owner.get(`${path}/do-not-send/numbers`));
  const rule = { action: 'deny', subject: 'range', value: '+88213', ends_at: null, reason: 'pumped' };
  await owner.post(`${path}/guard/rules`, rule);
  const rules = read<readonly { id: string }[]>(await owner.get(`${path}/guard/rules`));
  const hook = { url: SAMPLES.url, types: [] };
  const endpoint = read<{ webhook: { id: string } }>(await owner.post(`${path}/webhooks`, hook)).webhook.id;
  const tested = await owner.post(`${path}/webhooks/${endpoint}/test`);
  const { message } = read<{ message: string }>(tested);
  const { id: guestId } = await readMe(guest);
  const bystander = await readMe(await portal.join(owner, 'viewer', 'view@example.com'));
  read(await owner.send('PUT', `${path}/alerts/webhook`, { url: SAMPLES.url }));
  assert.equal((await guest.send('PUT', `${path}/alerts/email`)).status, 204);
  const ids: Record<string, string> = {
    keys: made.key.id,
    verifications: sent.id,
    invitations: invited.id,
    members: bystander.id,
    'do-not-send': listed.numbers[0]?.id ?? '',
    guard: rules[0]?.id ?? '',
    webhooks: endpoint,
  };

  /** For routes whose fields are more than their schema says. There is something to read out, to erase and to send again. */
  const bodies: readonly (readonly [place: string, body: object])[] = [
    ['{account}/numbers/', { destination }],
    ['{account}/guard/', rule],
    ['/verifications/{id}/feedback', { verdict: 'fraud' }],
    ['/webhooks/{id}/replay', { from: '2026-01-01T00:00:00Z', to: '2099-01-01T00:00:00Z', also_taken: true }],
  ];

  /** The content of the database, except for members and their roles. */
  const state = async () =>
    JSON.stringify([
      await rows('SELECT id, name, revoked_at, replaced_by FROM api_key ORDER BY id'),
      await rows('SELECT id, name FROM account ORDER BY id'),
      await rows('SELECT id FROM verification ORDER BY id'),
      await rows('SELECT * FROM account_setting'),
      await rows('SELECT id FROM invitation ORDER BY id'),
      await rows('SELECT id FROM blocked_number ORDER BY id'),
      await rows('SELECT * FROM blocked_range ORDER BY prefix'),
      await rows('SELECT id FROM guard_rule ORDER BY id'),
      await rows('SELECT id, url, types, full_numbers, secret_sealed, disabled_at FROM webhook ORDER BY id'),
      await rows('SELECT id FROM webhook_message ORDER BY id'),
      await rows('SELECT id FROM carrier_test'),
      await rows('SELECT * FROM alert_subscriber'),
      await rows('SELECT * FROM alert_webhook'),
      await rows('SELECT * FROM start_dismissal'),
      await rows("SELECT id FROM alert_notice WHERE kind = 'test'"),
      await rows('SELECT * FROM member WHERE person_id <> $1 ORDER BY person_id', guestId),
      await rows('SELECT count(*) FROM audit_entry'),
    ]);

  const blocked = async (): Promise<'blocked'> => {
    for (;;) {
      const sql = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      if ((await rows(sql)).length > 0) return 'blocked';
      await sleep(5);
    }
  };

  /** Sends a request, and takes away its sender's role between its arrival and its change. */
  async function overtake(send: () => Promise<Answer>, end: string): Promise<Answer | 'done before'> {
    await database.query('BEGIN');
    await database.query('SELECT FROM account FOR UPDATE');
    await database.query('SELECT FROM member FOR UPDATE');
    const answer = send();
    const first = await Promise.race([answer, blocked()]);
    await database.query(end, [guestId]);
    await database.query('COMMIT');
    return first === 'blocked' ? answer : 'done before';
  }

  const routes = (await listRoutes(portal.visitor())).filter(
    ({ name, changes, ofAccount }) =>
      changes && (ofAccount || name === 'POST accounts') && !LOOKS.includes(name),
  );
  assert.ok(routes.length >= 11);
  for (const route of routes) {
    const of = /\{account\}\/([\w-]+)/.exec(route.template)?.[1] ?? '';
    const asked = bodies.find(([place]) => route.name.includes(place))?.[1] ?? route.body;
    const target = route.path({
      account,
      id: ids[of] ?? '',
      message,
      carrier: 'simulator',
    });
    for (const end of [
      "UPDATE member SET role = 'viewer' WHERE person_id = $1",
      'DELETE FROM member WHERE person_id = $1',
    ]) {
      const before = await state();
      const answer = await overtake(() => guest.send(route.method, target, asked), end);
      assert.ok(answer !== 'done before', `${route.name} waits for nobody`);
      assert.deepEqual(
        [answer.status, problemOf(answer)],
        [403, 'forbidden'],
        `${route.name} ${answer.text}`,
      );
      assert.equal(await state(), before, route.name);
      await rows('DELETE FROM member WHERE person_id = $1', guestId);
      await rows("INSERT INTO member VALUES ($1, $2, 'owner', 1)", account, guestId);
    }
  }

  // A developer may do the same, but have no full numbers sent.
  for (const [method, target] of [
    ['POST', `${path}/webhooks`],
    ['PATCH', `${path}/webhooks/${endpoint}`],
  ] as const) {
    const before = await state();
    const answer = await overtake(
      () => guest.send(method, target, { ...hook, full_numbers: true }),
      "UPDATE member SET role = 'developer' WHERE person_id = $1",
    );
    assert.ok(answer !== 'done before', `${method} waits for nobody`);
    assert.deepEqual([answer.status, problemOf(answer)], [403, 'forbidden'], `${method} ${answer.text}`);
    assert.equal(await state(), before, method);
    await rows("UPDATE member SET role = 'owner' WHERE person_id = $1", guestId);
  }
});
