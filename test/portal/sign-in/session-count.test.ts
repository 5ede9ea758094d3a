/** A person has at most fifty sessions: then a sign-in ends the one that was not used for longest. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fastify from 'fastify';
import { addPerson } from '../../../src/accounts/people.ts';
import { query } from '../../../src/core/sql/records.ts';
import { decorateRequests } from '../../../src/http/request.ts';
import { beginSession } from '../../../src/identity/sign-in/session.ts';
import { openSqliteStore } from '../../../src/store/sqlite/store.ts';
import { LAX } from '../../store/contract/rig.ts';

test('the sessions of a person are bounded, and those of others do not count', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'countersign-sessions-'));
  const records = await openSqliteStore({ dataDir, exclusive: true, ...LAX });
  const app = fastify();
  decorateRequests(app, []);
  t.after(async () => {
    await app.close();
    await records.close();
    await rm(dataDir, { recursive: true });
  });
  const people = ['per_1', 'per_2'] as const;
  const start = 1_000;
  const sessions = people.flatMap((id, who) =>
    Array.from({ length: 55 }, (_, i) => ({
      sql: "INSERT INTO session VALUES ($1, $1, $2, 'password', '::1', '', $3, $4, $3)",
      // Begun in another order than used, and the other person's are the newest.
      args: [`${id} ${i}`, id, start + ((i * 7) % 55), start + who * 100 + i],
    })),
  );
  await records.transact([
    ...people.map((id) => addPerson({ id, email: `${id}@example.com`, name: 'Pat', password: null }, start)),
    ...sessions,
  ]);
  app.post('/', async (request) => {
    await records.transact(beginSession(records, request, 'per_1', 'password', start + 300).steps);
    return null;
  });
  await app.inject({ method: 'POST', url: '/' });
  const left = async (id: string) => {
    const sql = 'SELECT id FROM session WHERE person_id = $1 ORDER BY last_used_at';
    return (await query(records, sql, id)).map((row) => row.id);
  };
  const mine = await left('per_1');
  assert.deepEqual(
    mine.slice(0, -1),
    Array.from({ length: 49 }, (_, i) => `per_1 ${i + 6}`),
  );
  assert.equal(mine.length, 50);
  assert.equal((await left('per_2')).length, 55);
});
