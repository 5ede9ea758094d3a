/** Passwords and sessions: who gets a session, how long it lasts, and who must wait. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { suite, test } from 'node:test';
import { problemOf } from '../../acceptance/client.ts';
import { onTwoNodes } from '../../acceptance/target.ts';
import {
  firstAccount,
  OF_DOMAIN,
  OWNER,
  PASSWORD,
  read,
  readMe,
  sharePortal,
  startPortal,
  type Visitor,
} from '../rig.ts';

// Its tests guess nine wrong passwords of twenty that an address has.
const openPlace = sharePortal();

const signIn = (visitor: Visitor, email: string, password = PASSWORD) =>
  visitor.post('/portal/api/session', { email, password });

interface ListedSession {
  readonly id: string;
  readonly current: boolean;
  readonly address: string;
  readonly method: string;
}
const listSessions = async (visitor: Visitor) =>
  read<ListedSession[]>(await visitor.get('/portal/api/me/sessions'));

test('a password signs in, whatever the case of the address; a wrong one and an unknown address are refused alike', async (t) => {
  const { setUp, visitor, owner: email } = await openPlace(t);
  await setUp();
  const guest = visitor();
  assert.deepEqual(read(await signIn(guest, email.toUpperCase())), { next: 'signed-in' });
  assert.equal((await readMe(guest)).email, email);
  const wrong = await signIn(visitor(), email, 'not-the-password');
  const unknown = await signIn(visitor(), 'nobody@example.com', 'not-the-password');
  for (const answer of [wrong, unknown]) {
    assert.deepEqual([answer.status, problemOf(answer)], [401, 'sign-in-failed']);
    assert.equal(answer.headers['set-cookie'], undefined);
  }
  assert.equal(wrong.json.detail, unknown.json.detail);
  assert.equal(problemOf(await visitor().get('/portal/api/me')), 'not-signed-in');
});

test('of many guesses at once five are judged, and then there is a wait', async (t) => {
  const { setUp, visitor, owner: email } = await openPlace(t);
  await setUp();
  const answers = await Promise.all(
    Array.from({ length: 15 }, (_, i) => signIn(visitor(), email, `wrong-password-${i}`)),
  );
  const judged = answers.filter(({ status }) => status === 401);
  assert.equal(judged.length, 5);
  for (const answer of answers.filter(({ status }) => status !== 401)) {
    assert.equal(problemOf(answer), 'too-many-attempts');
    assert.ok(Number(answer.headers['retry-after']) >= 1);
  }
  assert.equal((await signIn(visitor(), email)).status, 429, 'the right password waits as well');
  assert.equal((await signIn(visitor(), 'other@example.com')).status, 401, 'other people do not');
});

test('one address that guesses many people’s passwords has to wait, even if it knows one of them', async (t) => {
  const { setUp, visitor } = await startPortal(t);
  await setUp();
  const statuses: number[] = [];
  for (let i = 0; i < 22; i++) {
    if (i === 10) read(await signIn(visitor(), OWNER));
    statuses.push((await signIn(visitor(), `person${i}@example.com`)).status);
  }
  assert.deepEqual(statuses, [...Array(20).fill(401), 429, 429]);
});

test('a session token that a browser brings along is never adopted, and ends with the sign-in', async (t) => {
  const { setUp, visitor, owner: email } = await openPlace(t);
  const owner = await setUp();
  const fixed = 'A'.repeat(43);
  const victim = visitor();
  victim.cookies.set('__Host-countersign', fixed);
  read(await signIn(victim, email));
  assert.notEqual(victim.cookies.get('__Host-countersign'), fixed);
  const attacker = visitor();
  attacker.cookies.set('__Host-countersign', fixed);
  assert.equal((await attacker.get('/portal/api/me')).status, 401);

  const before = owner.cookies.get('__Host-countersign') ?? '';
  read(await signIn(owner, email));
  attacker.cookies.set('__Host-countersign', before);
  assert.equal((await attacker.get('/portal/api/me')).status, 401, 'the session before is over');
});

test('signing out ends the session, here or everywhere', async (t) => {
  const { setUp, visitor, owner: email } = await openPlace(t);
  const first = await setUp();
  const [second, third] = [visitor(), visitor()];
  read(await signIn(second, email));
  read(await signIn(third, email));
  const stolen = new Map(second.cookies);
  assert.equal((await second.send('DELETE', '/portal/api/session')).status, 204);
  assert.equal(second.cookies.has('__Host-countersign'), false);
  for (const [name, value] of stolen) second.cookies.set(name, value);
  assert.equal((await second.get('/portal/api/me')).status, 401);

  const sessions = await listSessions(first);
  assert.deepEqual(sessions.map(({ current, method }) => [current, method]).sort(), [
    [false, 'password'],
    [true, 'password'],
  ]);
  assert.match(sessions[0]?.address ?? '', /^(127\.0\.0\.1|::1)$/);
  assert.equal((await third.send('DELETE', '/portal/api/me/sessions')).status, 204);
  assert.equal((await first.get('/portal/api/me')).status, 401);
  assert.equal((await third.get('/portal/api/me')).status, 401);
});

test('people can end one of their own sessions, and nobody else’s', async (t) => {
  const { setUp, join: invite, visitor, owner: email, domain } = await openPlace(t);
  const owner = await setUp();
  const viewer = await invite(owner, 'viewer', `vera@${domain}`);
  const [foreign] = await listSessions(owner);
  assert.equal((await viewer.send('DELETE', `/portal/api/me/sessions/${foreign?.id}`)).status, 404);
  const other = visitor();
  read(await signIn(other, email));
  const { id } = (await listSessions(owner)).find(({ current }) => !current) ?? {};
  assert.equal((await owner.send('DELETE', `/portal/api/me/sessions/${id}`)).status, 204);
  assert.equal((await other.get('/portal/api/me')).status, 401);
  assert.equal((await owner.get('/portal/api/me')).status, 200);
});

test('a new password ends all other sessions, and needs the current one', async (t) => {
  const { setUp, visitor, owner: email } = await openPlace(t);
  const owner = await setUp();
  const other = visitor();
  read(await signIn(other, email));
  const change = (body: object) => owner.post('/portal/api/me/password', body);
  const password = 'cobalt-violin-meadow';
  for (const body of [{ password }, { password, current: 'not-the-password' }]) {
    const answer = await change(body);
    assert.deepEqual([answer.status, answer.json.errors?.map(({ field }) => field)], [400, ['current']]);
  }
  for (const easy of ['password-1234', `${email.split('@')[0]}-violin-meadow`]) {
    const { status, json } = await change({ password: easy, current: PASSWORD });
    const found = json.errors?.map(({ field, code }) => [field, code]);
    assert.deepEqual([status, found], [400, [['password', 'easy_to_guess']]], easy);
  }
  assert.equal((await change({ password, current: PASSWORD })).status, 204);
  assert.equal((await owner.get('/portal/api/me')).status, 200);
  assert.equal((await other.get('/portal/api/me')).status, 401);
  assert.equal((await signIn(visitor(), email)).status, 401);
  assert.equal((await signIn(visitor(), email, password)).status, 200);
});

// Times are moved back in the folder's own database.
test('a session ends after twelve hours without use, and after a week in any case', {
  skip: onTwoNodes,
}, async (t) => {
  const { service, setUp, domain } = await openPlace(t);
  const owner = await setUp();
  const database = new DatabaseSync(join(service.dataDir, 'countersign.db'), { timeout: 5_000 });
  t.after(() => database.close());
  const age = (column: string, hours: number) =>
    database
      .prepare(`UPDATE session SET ${column} = ? ${OF_DOMAIN}`)
      .run(Date.now() - hours * 3_600_000, domain);
  age('last_used_at', 11.9);
  assert.equal((await owner.get('/portal/api/me')).status, 200);
  age('last_used_at', 12.1);
  assert.equal((await owner.get('/portal/api/me')).status, 401);
  age('last_used_at', 0);
  age('created_at', 24 * 6.9);
  assert.equal((await owner.get('/portal/api/me')).status, 200);
  age('created_at', 24 * 7.1);
  assert.equal((await owner.get('/portal/api/me')).status, 401);
  age('created_at', 24 * 6.9);
  assert.equal((await owner.post('/portal/api/me/proof', { password: PASSWORD })).status, 204);
  database
    .prepare(`UPDATE session SET created_at = created_at - ? ${OF_DOMAIN}`)
    .run(0.2 * 24 * 3_600_000, domain);
  assert.equal((await owner.get('/portal/api/me')).status, 401, 'a proof prolongs nothing');
});

suite('requests of other sites', () => {
  test('are refused with every method, and do nothing', async (t) => {
    const { setUp, service } = await openPlace(t);
    const owner = await setUp();
    const { id } = await firstAccount(owner);
    const own = service.baseUrl;
    const changes = [
      ['POST', '/portal/api/session'],
      ['POST', '/portal/api/me/totp'],
      ['DELETE', '/portal/api/me/sessions'],
      ['DELETE', '/portal/api/session'],
      ['PATCH', `/portal/api/accounts/${id}/members/x`],
      ['POST', `/portal/api/accounts/${id}/invitations`],
    ] as const;
    const foreign: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { 'sec-fetch-site': 'cross-site', origin: own },
      { 'sec-fetch-site': '', origin: own },
    ];
    for (const [method, path] of changes) {
      for (const headers of foreign) {
        const answer = await owner.send(method, path, undefined, { headers });
        assert.deepEqual([answer.status, problemOf(answer)], [403, 'cross-site'], `${method} ${path}`);
      }
    }
    assert.equal((await owner.get('/portal/api/me')).status, 200);
  });

  test('are recognised by their origin if a browser sends no fetch metadata', async (t) => {
    const { setUp, service, owner: email } = await openPlace(t);
    await setUp();
    const { client } = service;
    const body = { email, password: PASSWORD };
    const from = (origin: string | undefined) =>
      client.post('/portal/api/session', body, {
        key: null,
        headers: origin === undefined ? {} : { origin },
      });
    assert.equal((await from(service.baseUrl)).status, 200);
    for (const origin of [
      undefined,
      'null',
      'https://evil.example',
      service.baseUrl.replace('https', 'http'),
    ]) {
      assert.equal(problemOf(await from(origin)), 'cross-site', String(origin));
    }
  });
});
