/** Passwords are derived one at a time: what is cheap comes first, and strangers never take the places of people. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { invite } from '../../src/accounts/invitations.ts';
import { COMMAND_LINE } from '../../src/core/accounts/actor.ts';
import { query } from '../../src/core/sql/records.ts';
import { openSetup } from '../../src/identity/first-run/setup.ts';
import { openReset } from '../../src/identity/reset/reset.ts';
import { createPasswords } from '../../src/identity/sign-in/passwords.ts';
import { openLookup } from './store/lookup-rig.ts';

const EMAIL = 'olive@example.com';
const PASSWORD = 'harbour-lantern-quill';
const NEW_PASSWORD = 'cobalt-violin-meadow';
const LINK_SPENT = '/problems/link-spent';
/** So many of them may wait. */
const STRANGERS = 64;

/** A portal whose derivations can be held. */
async function open(t: TestContext) {
  let [gate, derivations] = [Promise.resolve(), 0];
  const passwords = createPasswords(async (_argon2, { message, nonce }) => {
    derivations += 1;
    await gate;
    return createHash('sha256').update(String(message)).update(String(nonce)).digest();
  });
  const { app, store } = await openLookup(t, {}, passwords);
  const post = async (path: string, payload: object, cookies = {}, remoteAddress = '192.0.2.1') => {
    const url = `/portal/api/${path}`;
    const answer = await app.inject({ method: 'POST', url, payload, cookies, remoteAddress });
    const type =
      answer.statusCode < 400 ? undefined : new URL(answer.json().type, 'https://localhost').pathname;
    return { status: answer.statusCode, type, cookies: answer.cookies, headers: answer.headers };
  };
  return {
    ...{ store, post },
    derivations: () => derivations,
    /** Until what is returned is called. */
    hold(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return resolve;
    },
    async setUp() {
      const token = await openSetup(store, Date.now());
      const { status, cookies } = await post('setup', {
        token,
        name: 'Olive',
        email: EMAIL,
        password: PASSWORD,
      });
      assert.equal(status, 204);
      const all = Object.fromEntries(cookies.map(({ name, value }) => [name, value]));
      const device = '__Host-countersign-device';
      return { session: all, device: { [device]: all[device] ?? '' } };
    },
  };
}

test('without a link that is good no password is derived', async (t) => {
  const { post, hold, setUp, store, derivations } = await open(t);
  const spent = (await openSetup(store, Date.now())) ?? '';
  const bodies = (token: string) => [
    ['setup', { token, name: 'Eve', email: 'eve@example.com', password: PASSWORD }] as const,
    ['reset', { token, password: PASSWORD }] as const,
    ['invitations/accept', { token, name: 'Eve', password: PASSWORD }] as const,
  ];
  const garbage = 'x'.repeat(43);
  for (const [path, body] of bodies(garbage)) assert.equal((await post(path, body)).type, LINK_SPENT);
  assert.equal(derivations(), 0);
  await setUp();
  const before = derivations();
  const release = hold();
  t.after(release);
  for (const [path, body] of [...bodies(garbage), ...bodies(spent)]) {
    const answers = await Promise.all(Array.from({ length: 100 }, () => post(path, body)));
    assert.deepEqual(new Set(answers.map(({ type }) => type)), new Set([LINK_SPENT]), path);
  }
  assert.equal(derivations(), before);
});

test('while strangers wait for as many passwords as they may, people go on', async (t) => {
  const { store, post, hold, setUp } = await open(t);
  const { session, device } = await setUp();
  const [account] = await query(store, 'SELECT id FROM account');
  const guest = { accountId: String(account?.id), email: 'guest@example.com', role: 'viewer' } as const;
  const invited = await invite(store, guest, COMMAND_LINE, Date.now());
  assert.ok(invited.kind === 'invited');

  /** Runs what people ask for while strangers wait from so many networks that some are refused. */
  async function crowded(...people: (() => ReturnType<typeof post>)[]) {
    const release = hold();
    t.after(release);
    const refused: (string | undefined)[] = [];
    const strangers = Array.from({ length: 100 }, async (_, i) => {
      const guess = { email: `stranger-${i}@example.com`, password: 'wrong-password' };
      const { status, headers } = await post('session', guess, {}, `198.51.${i}.1`);
      if (status === 503) refused.push(String(headers['retry-after']));
      return status;
    });
    while (refused.length < 100 - STRANGERS) await setImmediate();
    const answers = people.map((ask) => ask());
    release();
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    assert.deepEqual(
      (await Promise.all(strangers)).filter((status) => status === 401).length,
      STRANGERS,
      'and those who wait are judged',
    );
    assert.deepEqual(new Set(refused), new Set(['1']));
    return statuses;
  }

  const entered = await crowded(
    () => post('session', { email: EMAIL, password: PASSWORD }, device, '198.51.1.1'),
    () => post('invitations/accept', { token: invited.token, name: 'Guest', password: PASSWORD }),
  );
  assert.deepEqual(entered, [200, 200]);
  const change = { current: PASSWORD, password: NEW_PASSWORD };
  assert.deepEqual(await crowded(() => post('me/password', change, session)), [204]);
  assert.deepEqual(await crowded(() => post('me/proof', { password: NEW_PASSWORD }, session)), [204]);
  const token = await openReset(store, EMAIL, Date.now());
  assert.deepEqual(await crowded(() => post('reset', { token, password: PASSWORD })), [204]);
});
