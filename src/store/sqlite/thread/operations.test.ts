import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { SYSTEM_CLOCK } from '../../../core/seams/clock.ts';
import { SYSTEM_RANDOM } from '../../../core/seams/random.ts';
import { migrate } from '../schema/migrate.ts';
import { TallyBook } from '../statistics/tally-book.ts';
import { createOperations } from './operations.ts';

const YEARS_MS = 1_500 * 86_400_000;

test('limits may have windows of years', () => {
  using db = new DatabaseSync(':memory:');
  migrate(db);
  const limits = [{ max: 5, windowMs: YEARS_MS }];
  const rules = {
    limits: { sendsPerDestination: limits, failedGuessesPerDestination: limits, requestsPerKey: limits },
    retention: {
      verifications: YEARS_MS,
      simulatorMessages: YEARS_MS,
      signals: YEARS_MS,
      events: YEARS_MS,
      statistics: YEARS_MS,
    },
  };
  assert.doesNotThrow(() =>
    createOperations(db, rules, new TallyBook(db), { clock: SYSTEM_CLOCK, random: SYSTEM_RANDOM }),
  );
});
