/** A password is right, but something changes before its session begins. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import fastify from 'fastify';
import { addPerson, findPersonById } from '../../../src/accounts/people.ts';
import { query } from '../../../src/core/accounts/records.ts';
import { Keyring } from '../../../src/core/secrets/keyring.ts';
import { decorateRequests } from '../../../src/http/request.ts';
import { createPasswords } from '../../../src/portal/sign-in/passwords.ts';
import { admitByPassword } from '../../../src/portal/sign-in/sign-in.ts';
import { openSqliteStore } from '../../../src/store/sqlite/store.ts';
import { LAX } from '../../store/contract/rig.ts';

const ID = 'per_1';

/** The result of a sign-in that this statement overtakes, and the number of sessions afterwards. */
async function overtaken(t: TestContext, sql: string, ...args: string[]) {
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
  const person = await findPersonById(records, ID);
  assert.ok(person);
  await query(records, sql, ...args);
  const deps = {
    records,
    keyring: new Keyring('a secret for these tests only, yes'),
    passwords: createPasswords(),
  };
  app.post('/', async (request) => (await admitByPassword(deps, request, person, [])).kind);
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
