/** What is over is deleted by the time by which rows are old. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pino } from 'pino';
import { SYSTEM_CLOCK } from '../../src/core/seams/clock.ts';
import { Keyring } from '../../src/core/secrets/keyring.ts';
import { query } from '../../src/core/sql/records.ts';
import { scheduleSweep } from '../../src/portal/sweep.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { eventually } from '../acceptance/client.ts';
import { DAY, LAX } from '../store/contract/rig.ts';

test('a clock that is years ahead deletes nothing that is not over', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'countersign-sweep-'));
  const records = await openSqliteStore({ dataDir, exclusive: true, ...LAX });
  t.after(async () => {
    await records.close();
    await rm(dataDir, { recursive: true });
  });
  const now = Date.now();
  const link = (hash: string, expiresAt: number) => ({
    sql: "INSERT INTO one_time (hash, purpose, expires_at) VALUES ($1, 'setup', $2)",
    args: [hash, expiresAt],
  });
  await records.transact([link('over', now - 1), link('open', now + DAY)]);
  const clock = { ...SYSTEM_CLOCK, now: () => now + 40 * DAY, wall: () => now + 3_650 * DAY };
  const keyring = new Keyring('a secret'.padEnd(32, '.'));
  const { retention } = LAX;
  using _ = scheduleSweep(records, {
    clock,
    aged: async () => now,
    keyring,
    retention,
    log: pino({ level: 'silent' }),
  });
  const left = async () => (await query(records, 'SELECT hash FROM one_time')).map(({ hash }) => hash);
  await eventually(async () => ((await left()).length < 2 ? true : undefined));
  assert.deepEqual(await left(), ['open']);
});
