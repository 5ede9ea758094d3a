/** How many places the configuration gives to alerts, and how many of them hear of accounts. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openAlerts } from '../../src/alerts/index.ts';
import type { AlertsParts } from '../../src/alerts/parts.ts';
import { createWork } from '../../src/alerts/work.ts';
import { loadText } from '../../src/config/fixture.ts';
import { inForce } from '../../src/core/alerts/rule.ts';
import { SYSTEM_CLOCK } from '../../src/core/seams/clock.ts';
import { createManualClock } from '../../src/core/seams/clock-fixture.ts';
import { SYSTEM_RANDOM } from '../../src/core/seams/random.ts';
import { Keyring } from '../../src/core/secrets/keyring.ts';
import { query } from '../../src/core/sql/records.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { LAX } from '../store/contract/rig.ts';

const tooSoon = () => Promise.reject(new Error('nothing is looked at so soon'));
const PARTS: Omit<AlertsParts, 'config'> = {
  everyMs: 60_000,
  keyring: new Keyring('a secret'.padEnd(32, '.')),
  clock: SYSTEM_CLOCK,
  random: SYSTEM_RANDOM,
  store: {
    ...{ random: SYSTEM_RANDOM, transact: tooSoon, keysRevision: tooSoon, oldestWaiting: tooSoon },
    isShared: false,
  },
  transport: { kind: 'plain' },
  log: { note: () => {} },
};

const WEBHOOK = 'webhook: { url: "https://chat.example.com/hook" }';
const MAIL = 'smtp: { host: smtp.example.com, from: alerts@example.com }';

for (const [text, recipients, forAccounts] of [
  ['', 0, 0],
  [`alerts: { ${WEBHOOK} }`, 1, 1],
  [`${MAIL}\nalerts: { email: [ops@example.com, lead@example.com], ${WEBHOOK} }`, 3, 3],
  [`alerts: { accounts: false, ${WEBHOOK} }`, 1, 0],
] as const) {
  test(`${recipients} places, ${forAccounts} for accounts: ${text || 'nothing'}`, async () => {
    await using alerts = openAlerts({ ...PARTS, config: loadText(text) });
    assert.deepEqual([alerts.ownPlaces, alerts.ownPlacesForAccounts], [recipients, forAccounts]);
  });
}

test('a rule of the configuration is on or off, or has a threshold and is on', async () => {
  const text = 'alerts: { rules: { carrierDown: 10, queueLate: false, signInsFailed: 5, spendOver: 12.5 } }';
  await using alerts = openAlerts({ ...PARTS, config: loadText(text) });
  assert.deepEqual(alerts.inForce('carrier-down'), { on: true, threshold: 10 });
  assert.deepEqual(alerts.inForce('queue-late'), { on: false, threshold: 60 });
  assert.deepEqual(alerts.inForce('sign-ins-failed'), { on: true, threshold: 5 });
  assert.deepEqual(alerts.inForce('spend-over'), { on: true, threshold: 12.5 });
  assert.deepEqual(alerts.inForce('spend-high'), { on: true, threshold: 3 });
});

for (const accounts of [true, false]) {
  test(`they are ${accounts ? '' : 'not '}told of an account if accounts: ${accounts}`, async () => {
    await using parts = new AsyncDisposableStack();
    const dataDir = await mkdtemp(join(tmpdir(), 'countersign-places-'));
    parts.defer(() => rm(dataDir, { recursive: true }));
    const store = await openSqliteStore({ dataDir, exclusive: true, ...LAX });
    parts.defer(() => store.close());
    const clock = createManualClock();
    const entry = { who: 'Ada', subject: 'new@example.com', detail: 'as owner', at: clock.now() };
    await store.transact([
      { sql: "INSERT INTO account (id, name, created_at) VALUES ('acc_1', 'Acme', 0)", args: [] },
      {
        sql: `INSERT INTO audit_entry (account_id, id, at, who, address, action, subject, detail)
          VALUES ('acc_1', 'aud_1', $1, $2, NULL, 'member.joined', $3, $4)`,
        args: [entry.at, entry.who, entry.subject, entry.detail],
      },
    ]);
    // Nothing listens there, so that what is told stays to be seen.
    const config = loadText(`alerts: { accounts: ${accounts}, webhook: { url: "http://127.0.0.1:1/hook" } }`);
    const work = createWork({ ...PARTS, store: { ...store, isShared: false }, clock, config }, inForce);
    await work.look();
    work.stop();
    const told = await query(store, 'SELECT account_id, channel FROM alert_notice');
    assert.deepEqual(told, accounts ? [{ account_id: '', channel: 'webhook' }] : []);
    assert.equal((await query(store, 'SELECT id FROM alert WHERE account_id = $1', 'acc_1')).length, 1);
  });
}
