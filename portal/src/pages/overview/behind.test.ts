import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listBehind } from './behind.ts';

const span = { from: '2026-11-20T00:00:00.000Z', to: '2026-11-21T00:00:00.000Z' };
const filtersOf = (address: string) => Object.fromEntries(new URL(address, 'https://x').searchParams);

test('the list has the span and the filters of the overview, and what the figure counts', () => {
  const behind = listBehind('acc_1', span, { test: 'false', country: 'DE' });
  assert.match(behind('requested'), /^\/accounts\/acc_1\/verifications\?/);
  const shared = { ...span, test: 'false', country: 'DE', counted: 'true' };
  assert.deepEqual(filtersOf(behind('requested')), shared);
  assert.deepEqual(filtersOf(behind('failed')), { ...shared, status: 'failed' });
  assert.deepEqual(filtersOf(behind('refused', { carrier: 'acme' })), {
    ...shared,
    carrier: 'acme',
    attempt: 'refused',
  });
  assert.deepEqual(filtersOf(behind('requested', { country: 'FR' })), { ...shared, country: 'FR' });
});

test('a confirmation is one of the carrier that carried the code', () => {
  const behind = listBehind('acc_1', span, {});
  assert.deepEqual(filtersOf(behind('confirmed')), { ...span, counted: 'true', status: 'confirmed' });
  const { status, attempt, carrier } = filtersOf(behind('confirmed', { carrier: 'acme' }));
  assert.deepEqual([status, attempt, carrier], ['confirmed', 'carried', 'acme']);
});
