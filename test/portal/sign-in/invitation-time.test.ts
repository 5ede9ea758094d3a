/** How long an invitation is valid, to the millisecond. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { acceptInvitation, findInvitation, invite } from '../../../src/accounts/invitations.ts';
import { addPerson } from '../../../src/accounts/people.ts';
import { query } from '../../../src/core/sql/records.ts';
import { openSqliteStore } from '../../../src/store/sqlite/store.ts';
import { LAX } from '../../store/contract/rig.ts';

test('an invitation is found and accepted only until it expires', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'countersign-invitation-'));
  const records = await openSqliteStore({ dataDir, exclusive: true, ...LAX });
  t.after(async () => {
    await records.close();
    await rm(dataDir, { recursive: true });
  });
  const now = Date.now();
  const email = 'guest@example.com';
  await query(records, 'INSERT INTO account (id, name, created_at) VALUES ($1, $2, $3)', 'acc_1', 'One', now);
  await records.transact([addPerson({ id: 'per_1', email, name: 'Guest', password: null }, now)]);
  const wanted = { accountId: 'acc_1', email, role: 'viewer' } as const;
  const invited = await invite(records, wanted, { name: 'Olive', address: '192.0.2.1' }, now);
  assert.ok(invited.kind === 'invited');
  const { token, expiresAt } = invited;
  const open = await findInvitation(records, token, expiresAt - 1);
  assert.ok(open);
  assert.equal(await findInvitation(records, token, expiresAt), undefined);
  const person = { id: 'per_1', name: 'Guest', address: '192.0.2.2' };
  const acceptAt = async (at: number) =>
    (await records.transact(acceptInvitation(records, token, open, person, at))).done;
  assert.equal(await acceptAt(expiresAt), false);
  assert.equal(await acceptAt(expiresAt - 1), true);
});
