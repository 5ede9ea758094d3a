import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_SETTINGS } from '../../core/accounts/account-settings.ts';
import { PLAIN_LIMITS } from '../../core/verification/fixture.ts';
import type { Settings } from './contract.ts';
import { readSettings, type ServiceDefaults } from './settings.ts';

const DEFAULTS: ServiceDefaults = {
  accountLimits: PLAIN_LIMITS,
  code: { length: 6, alphabet: 'digits', validFor: 600_000, guesses: 5 },
  messages: { brand: 'Acme' },
  currency: 'EUR',
  guard: { mode: 'enforce' },
  ...{ lookups: [], channels: [], simulated: [], reaching: [] },
};
const wanted = (sends_per_destination: string[]): Settings => ({
  ...{ name: 'Shop', brand: null, locale: null, code_length: null, sends_per_destination },
  ...{ failed_guesses_per_destination: null, countries: [], budgets: null, guard: 'enforce' },
});

test('a stored limit that a stricter one has come to hide keeps nobody from changing something else', () => {
  const stored = { ...NO_SETTINGS, sendsPerDestination: [{ max: 50, windowMs: 3_600_000 }] };
  assert.ok(readSettings({ accountId: 'acc_1', stored }, wanted(['50/1h']), DEFAULTS).ok);
  const other = readSettings({ accountId: 'acc_1', stored }, wanted(['50/1h', '60/1h']), DEFAULTS);
  assert.ok(!other.ok);
  assert.deepEqual(
    other.errors.map(({ field, code }) => [field, code]),
    [['sends_per_destination/1', 'no_effect']],
  );
});

test('of equal limits the second is refused, however its period is written', () => {
  const read = readSettings(
    {
      accountId: 'acc_1',
      stored: { ...NO_SETTINGS, sendsPerDestination: [{ max: 2, windowMs: 3_600_000 }] },
    },
    wanted(['2/1h', '1/1h', '2/60m']),
    DEFAULTS,
  );
  assert.ok(!read.ok);
  assert.deepEqual(read.errors, [
    {
      field: 'sends_per_destination/2',
      code: 'no_effect',
      detail: 'is there already, and would have no effect a second time',
    },
  ]);
});
