import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openSqliteStore } from '../../store/sqlite/store.ts';
import { findWebhookWarnings } from './webhook-warnings.ts';

const DAY = 86_400_000;
const NOW = Date.parse('2026-11-23T00:00:00Z');
const RULES = {
  limits: { sendsPerDestination: [], failedGuessesPerDestination: [], requestsPerKey: [] },
  retention: { verifications: DAY, simulatorMessages: DAY, signals: DAY, statistics: DAY, events: DAY },
};

test('doctor names endpoints that fail or are disabled, without their addresses', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'countersign-doctor-'));
  const store = await openSqliteStore({ dataDir, exclusive: true, ...RULES });
  const add = (id: string, failingSince: number | null, disabledAt: number | null) => ({
    sql: `INSERT INTO webhook
        (id, account_id, url, types, secret_sealed, created_at, failing_since, disabled_at, last_failure)
      VALUES ($1, 'acc', 'https://example.com/token', '[]', '', 0, $2, $3, 'HTTP 500')`,
    args: [id, failingSince, disabledAt],
  });
  try {
    await store.transact([
      { sql: "INSERT INTO account (id, name, created_at) VALUES ('acc', 'shop', 0)", args: [] },
      add('whk_1', null, null),
      add('whk_2', NOW - 60_000, null),
      add('whk_3', NOW - DAY, null),
      add('whk_4', NOW - DAY, NOW),
    ]);
    assert.deepEqual(await findWebhookWarnings(store, NOW), [
      {
        name: 'webhook whk_3 of shop',
        detail:
          'has taken nothing since 2026-11-22T00:00:00.000Z, last with: HTTP 500; see to it, it is disabled after five days',
      },
      {
        name: 'webhook whk_4 of shop',
        detail:
          'is disabled since 2026-11-23T00:00:00.000Z, last with: HTTP 500; enable it when it works again, or remove it',
      },
    ]);
  } finally {
    await store.close();
    await rm(dataDir, { recursive: true });
  }
});
