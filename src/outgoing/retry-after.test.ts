import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRetryAfter } from './retry-after.ts';

const now = Date.UTC(2026, 10, 6, 8, 49, 37);

test('seconds, and HTTP dates', () => {
  assert.equal(readRetryAfter('120', now), 120_000);
  assert.equal(readRetryAfter('0', now), 0);
  assert.equal(readRetryAfter('Fri, 06 Nov 2026 08:50:37 GMT', now), 60_000);
  assert.equal(readRetryAfter('Friday, 06-Nov-26 08:50:37 GMT', now), 60_000);
  assert.equal(readRetryAfter('Fri, 06 Nov 2026 08:00:00 GMT', now), 0, 'a date in the past');
});

test('anything else is ignored', () => {
  for (const header of [
    undefined,
    '',
    'soon',
    '-1',
    '1.5',
    '12.5',
    '1e3',
    '99999999999',
    'Fri, 99 Nov 2026',
  ]) {
    assert.equal(readRetryAfter(header, now), undefined, `${header}`);
  }
});
