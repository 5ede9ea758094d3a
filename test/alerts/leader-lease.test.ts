/** A service that stops leaves its lease at the alerts to the next. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openAlerts } from '../../src/alerts/index.ts';
import { loadText } from '../../src/config/fixture.ts';
import { SYSTEM_CLOCK } from '../../src/core/seams/clock.ts';
import { SYSTEM_RANDOM } from '../../src/core/seams/random.ts';
import { Keyring } from '../../src/core/secrets/keyring.ts';
import { query } from '../../src/core/sql/records.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { eventually } from '../acceptance/client.ts';
import { LAX } from '../store/contract/rig.ts';

test('a service that stops leaves its lease at the alerts to the next', async () => {
  await using parts = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), 'countersign-lease-'));
  parts.defer(() => rm(dataDir, { recursive: true }));
  const store = await openSqliteStore({ dataDir, exclusive: true, ...LAX });
  parts.defer(() => store.close());
  const endsAt = async () => Number((await query(store, 'SELECT ends_at FROM alert_turn'))[0]?.ends_at);
  const alerts = openAlerts({
    keyring: new Keyring('a secret'.padEnd(32, '.')),
    clock: SYSTEM_CLOCK,
    random: SYSTEM_RANDOM,
    store: { ...store, isShared: false },
    transport: { kind: 'plain' },
    log: { note: () => {} },
    config: loadText(''),
    everyMs: 1_000,
  });
  const isHeld = async () => (await endsAt()) > Date.now() || undefined;
  assert.ok(await eventually(isHeld, 20_000));
  await alerts[Symbol.asyncDispose]();
  assert.equal(await endsAt(), 0);
});
