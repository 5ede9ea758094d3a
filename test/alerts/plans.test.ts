/** However long an installation has been in use, what is watched for alerts reads only what it needs. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { CountedTraffic } from '../../src/alerts/watch/counted.ts';
import { watchBudgets, watchGuard } from '../../src/alerts/watch/guarded.ts';
import { watchOwners, watchSignIns } from '../../src/alerts/watch/people.ts';
import { watchCarriers } from '../../src/alerts/watch/service.ts';
import { createConversionWatch, createSpendWatch } from '../../src/alerts/watch/traffic.ts';
import type { Records } from '../../src/core/sql/records.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { LAX } from '../store/contract/rig.ts';
import { scansOf } from '../store/scans.ts';

test('no look at a rule reads a table that grows from end to end', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'countersign-alert-plans-'));
  const store = await openSqliteStore({ dataDir, exclusive: true, ...LAX });
  t.after(async () => {
    await store.close();
    await rm(dataDir, { recursive: true });
  });
  const asked = new Set<string>();
  const records: Records = {
    random: store.random,
    keysRevision: store.keysRevision,
    transact(steps, ...rest) {
      for (const step of steps) if ('sql' in step) asked.add(step.sql);
      return store.transact(steps, ...rest);
    },
  };
  const traffic = new CountedTraffic();
  const sources = [
    ...[createConversionWatch(traffic), createSpendWatch(traffic, 'EUR'), watchCarriers],
    ...[watchBudgets, watchGuard, watchSignIns, watchOwners],
  ];
  for (const source of sources) {
    await source({ records, now: Date.now(), thresholdOf: () => 1 });
  }
  assert.ok(asked.size >= 6, `${asked.size} statements`);
  using db = new DatabaseSync(join(dataDir, 'countersign.db'), { readOnly: true });
  const faults = [...asked].flatMap((sql) => scansOf(db, sql).map((scan) => `${scan}: ${sql}`));
  assert.deepEqual(faults, []);
});
