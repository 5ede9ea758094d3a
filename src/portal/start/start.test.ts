import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Records } from '../../core/accounts/records.ts';
import type { Tally, TallyQuery } from '../../core/counting/tally.ts';
import { createStart } from './start.ts';

const TALLY = {
  ...{ time: null, channel: 'sms', country: null, carrier: 'smsc', keyId: null },
  ...{ requested: 1, failedAttempts: 0, submitted: 1, delivered: 0, undelivered: 0, failed: 0, confirmed: 0 },
  ...{ limitedByKey: 0, limitedByDestination: 0, mismatched: 0, cost: 0 },
} as const satisfies Tally;

test('a message that was sent ticks its step at the page’s next question, however long the store took before', async (t) => {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const live: Tally[] = [];
  const tally = async ({ test: isTest }: TallyQuery) => {
    now += 3_000;
    return isTest ? [] : [...live];
  };
  const records: Records = {
    transact: async () => ({ done: true, rows: [] }),
    keysRevision: async () => 0,
  };
  const read = createStart({
    tallies: { tally, latencies: async () => [] },
    records,
    carriers: () => [{ name: 'smsc', type: 'smpp' }],
    alerts: { hasMail: false, ownPlacesForAccounts: 0 },
  });
  for (let i = 0; i < 2; i++) {
    assert.equal((await read('acc_1', 'person_1')).sent, false);
    now += 5_000;
  }
  live.push(TALLY);
  now += 5_000;
  assert.equal((await read('acc_1', 'person_1')).sent, true);
});
