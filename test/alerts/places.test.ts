/** How many places the configuration gives to alerts, and how many of them hear of accounts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openAlerts } from '../../src/alerts/index.ts';
import type { AlertsParts } from '../../src/alerts/parts.ts';
import { loadText } from '../../src/config/fixture.ts';
import { SYSTEM_CLOCK } from '../../src/core/clock.ts';
import { Keyring } from '../../src/core/secrets/keyring.ts';

const tooSoon = () => Promise.reject(new Error('nothing is looked at so soon'));
const PARTS: Omit<AlertsParts, 'config'> = {
  keyring: new Keyring('a secret'.padEnd(32, '.')),
  clock: SYSTEM_CLOCK,
  store: { transact: tooSoon, keysRevision: tooSoon, oldestWaiting: tooSoon, budget: undefined },
  transport: { kind: 'plain' },
  log: { note: () => {} },
};

const WEBHOOK = 'webhook: { url: "https://chat.example.com/hook" }';
const MAIL = 'smtp: { host: smtp.example.com, from: alerts@example.com }';

for (const [text, places, forAccounts] of [
  ['', 0, 0],
  [`alerts: { ${WEBHOOK} }`, 1, 1],
  [`${MAIL}\nalerts: { email: [ops@example.com, lead@example.com], ${WEBHOOK} }`, 3, 3],
  [`alerts: { accounts: false, ${WEBHOOK} }`, 1, 0],
] as const) {
  test(`${places} places, ${forAccounts} for accounts: ${text || 'nothing'}`, async () => {
    await using alerts = openAlerts({ ...PARTS, config: loadText(text) });
    assert.deepEqual([alerts.ownPlaces, alerts.ownPlacesForAccounts], [places, forAccounts]);
  });
}

test('a rule of the configuration is on or off, or has a threshold and is on', async () => {
  const text = 'alerts: { rules: { carrierDown: 10, queueLate: false, signInsFailed: 5, spendOver: 12.5 } }';
  await using alerts = openAlerts({ ...PARTS, config: loadText(text) });
  assert.deepEqual(alerts.wishes, {
    'carrier-down': { on: true, threshold: 10 },
    'queue-late': { on: false },
    'sign-ins-failed': { on: true, threshold: 5 },
    'spend-over': { on: true, threshold: 12.5 },
  });
});
