/** A password is right, but something changes before its session begins, or is renewed. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import fastify from 'fastify';
import { addPerson, findPersonById } from '../../../src/accounts/people.ts';
import { SYSTEM_CLOCK } from '../../../src/core/seams/clock.ts';
import { Keyring } from '../../../src/core/secrets/keyring.ts';
import { query } from '../../../src/core/sql/records.ts';
import { decorateRequests } from '../../../src/http/request.ts';
import { createPasswords, type Passwords } from '../../../src/identity/sign-in/passwords.ts';
import { renewSession } from '../../../src/identity/sign-in/session.ts';
import { admitByPassword, provePassword } from '../../../src/identity/sign-in/sign-in.ts';
import { openSqliteStore } from '../../../src/store/sqlite/store.ts';
import { LAX } from '../../store/contract/rig.ts';

const ID = 'per_1';

async function open(t: TestContext) {
  const dataDir = await mkdtemp(join(tmpdir(), 'countersign-overtaken-'));
  const records = await openSqliteStore({ dataDir, exclusive: true, ...LAX });
  const app = fastify();
  decorateRequests(app, []);
  t.after(async () => {
    await app.close();
    await records.close();
    await rm(dataDir, { recursive: true });
  });
  await records.transact([
    addPerson({ id: ID, email: 'a@example.com', name: 'Olive', password: 'first' }, 0),
  ]);
  return { app, clock: SYSTEM_CLOCK, records, keyring: new Keyring('a secret for these tests only, yes') };
}

/** The result of a sign-in that this statement overtakes, and the number of sessions afterwards. */
async function overtaken(t: TestContext, sql: string, ...args: string[]) {
  const { app, ...deps } = await open(t);
  const { records } = deps;
  const person = await findPersonById(records, ID);
  assert.ok(person);
  await query(records, sql, ...args);
  const passwords = createPasswords();
  app.post('/', async (request) => (await admitByPassword({ ...deps, passwords }, request, person, [])).kind);
  const { body } = await app.inject({ method: 'POST', url: '/' });
  const sessions = await query(records, 'SELECT id FROM session WHERE person_id = $1', ID);
  return { kind: body, sessions: sessions.length };
}

const REFUSED = { kind: 'refused', sessions: 0 };

test('without a change a session begins', async (t) => {
  const answer = await overtaken(t, 'SELECT id FROM person');
  assert.deepEqual(answer, { kind: 'signed-in', sessions: 1 });
});

test('a password that was just replaced begins no session', async (t) => {
  assert.deepEqual(
    await overtaken(t, 'UPDATE person SET password = $2 WHERE id = $1', ID, 'second'),
    REFUSED,
  );
});

test('a second factor that was just set up is not skipped', async (t) => {
  const sql = `INSERT INTO totp (person_id, sealed, last_step, confirmed_at) VALUES ($1, $2, 1, 1)`;
  assert.deepEqual(await overtaken(t, sql, ID, 'sealed'), REFUSED);
});

test('a password that is replaced while the one before is hashed again stays replaced', async (t) => {
  const { app, ...deps } = await open(t);
  const { records } = deps;
  const passwords: Passwords = {
    begin: () => ({
      [Symbol.dispose]() {},
      verify: async () => true,
      hash: async () => {
        await query(records, "UPDATE person SET password = 'second'");
        return 'first, hashed again';
      },
    }),
  };
  const credentials = { email: 'a@example.com', password: 'x' };
  app.post('/', async (request) => (await provePassword({ ...deps, passwords }, request, credentials)).kind);
  assert.equal((await app.inject({ method: 'POST', url: '/' })).body, 'refused');
  assert.equal((await findPersonById(records, ID))?.password, 'second');
});

test('a session that ended before the proof of its person was written is not renewed, and nothing says that it was', async (t) => {
  const { records } = await open(t);
  const written = { sql: "UPDATE person SET name = 'proven'", args: [] };
  const { done } = await records.transact([...renewSession(records, 'ses_ended', 1).steps, written]);
  assert.equal(done, false);
  assert.equal((await findPersonById(records, ID))?.name, 'Olive');
});
