import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findRows, rowsOf } from './rows.ts';

const OPEN = {
  allowed: true,
  channels: ['sms' as const],
  lowest_price: 0.05,
  highest_price: 0.07,
  stops: [],
};
const stop = (of: 'service' | 'account') => ({ id: 'grl_1', of, reason: 'pumped', ends_at: null });
const funnel = (requested: number, submitted: number, confirmed: number) => ({
  ...{
    requested,
    attempted: submitted,
    submitted,
    delivered: 0,
    undelivered: 0,
    failed: 0,
    confirmed,
    cost: 0,
  },
});
const part = (name: string, ...counts: [number, number, number]) => ({
  ...{ name, label: name, funnel: funnel(...counts), confirmed_ms: { p50: null, p95: null } },
});

const rows = rowsOf(
  {
    currency: 'EUR',
    countries: [
      { ...OPEN, country: 'AT' },
      { ...OPEN, country: 'BR', stops: [stop('account')] },
      { ...OPEN, country: 'CU', allowed: false },
      { ...OPEN, country: 'DE' },
      { ...OPEN, country: 'FR', stops: [stop('account'), stop('service')] },
      { ...OPEN, country: 'GB', channels: [] },
      { ...OPEN, country: 'US' },
    ],
  },
  { countries: ['AT', 'BR', 'CU', 'DE', 'FR', 'GB'] },
  { countries: [part('DE', 200, 190, 150), part('AT', 300, 100, 60)] },
);
const of = (country: string) => rows.find((row) => row.country === country);

test('what is used most comes first, with its conversion; the rest by name', () => {
  assert.deepEqual(
    rows.map(({ country }) => country),
    ['AT', 'DE', 'BR', 'CU', 'FR', 'GB', 'US'],
  );
  assert.deepEqual([of('AT')?.codes, of('AT')?.confirmed], [300, { count: 60, of: 300 }]);
  assert.deepEqual([of('US')?.codes, of('US')?.confirmed], [0, { count: 0, of: 0 }]);
});

test('a country is on, stopped by a rule, not chosen in the settings, or out of reach of the account', () => {
  assert.deepEqual(
    rows.map(({ sending }) => sending.kind),
    ['on', 'on', 'stopped', 'service', 'service', 'service', 'not-chosen'],
  );
  const sending = of('FR')?.sending;
  assert.ok(sending?.kind === 'service' && sending.why === 'The operator stopped it: pumped.');
});

test('a country is found by name or code; at first those that are used or stopped are there', () => {
  const found = (text: string) => findRows(rows, text).map(({ country }) => country);
  assert.deepEqual(found(''), ['AT', 'DE', 'BR', 'FR']);
  assert.deepEqual([found('braz'), found('us'), found('united')], [['BR'], ['AT', 'US'], ['GB', 'US']]);
});
