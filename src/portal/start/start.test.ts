import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Tally, TallyQuery } from '../../core/counting/tally.ts';
import { createManualClock } from '../../core/seams/clock-fixture.ts';
import { SYSTEM_RANDOM } from '../../core/seams/random.ts';
import type { Records } from '../../core/sql/records.ts';
import { createStart } from './start.ts';

const TALLY = {
  ...{ time: null, channel: 'sms', country: null, carrier: 'smsc', keyId: null },
  ...{ requested: 1, failedAttempts: 0, submitted: 1, delivered: 0, undelivered: 0, failed: 0, confirmed: 0 },
  ...{ limitedByKey: 0, limitedByDestination: 0, mismatched: 0, cost: 0 },
} as const satisfies Tally;

test('a message that was sent ticks its step at the page’s next request, however long the store took before', async () => {
  const clock = createManualClock(0);
  const live: Tally[] = [];
  const tally = async ({ test: isTest }: TallyQuery) => {
    clock.pass(3_000);
    return isTest ? [] : [...live];
  };
  const records: Records = {
    transact: async () => ({ done: true, rows: [] }),
    random: SYSTEM_RANDOM,
    keysRevision: async () => 0,
  };
  const read = createStart({
    clock,
    tallies: { tally, latencies: async () => [] },
    records,
    carriers: () => [{ name: 'smsc', type: 'smpp' }],
    alerts: { hasMail: false, ownPlacesForAccounts: 0 },
  });
  for (let i = 0; i < 2; i++) {
    assert.equal((await read('acc_1', 'person_1')).sent, false);
    clock.pass(5_000);
  }
  live.push(TALLY);
  clock.pass(5_000);
  assert.equal((await read('acc_1', 'person_1')).sent, true);
});
