import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ShownLookup } from '../../core/lookups/lookup.ts';
import { readNumberRule, showNumberRule } from './number-rule.ts';

const LINES: ShownLookup = {
  ...{ name: 'lines', price: 5_000, failsClosed: false, countries: undefined },
  tells: new Set(['lineType'] as const),
};
const WRITTEN = {
  swapped_within_hours: null,
  ported_within_hours: null,
  line_types: ['voip', 'pager', 'voip'],
  recycled: false,
} as const;
const written = (more: object = {}) => ({ ...WRITTEN, line_types: [...WRITTEN.line_types], ...more });

test('a rule is read, and shown as it was written', () => {
  const { rule, errors } = readNumberRule(written(), undefined, [LINES]);
  assert.deepEqual(rule, {
    ...{ swappedWithinHours: null, portedWithinHours: null },
    ...{ lineTypes: ['voip', 'pager'], recycled: false },
  });
  assert.deepEqual(errors, []);
  assert.deepEqual(showNumberRule(rule), { ...WRITTEN, line_types: ['voip', 'pager'] });
});

test('what one leaves out is not looked at, whether written or stored', () => {
  const { rule } = readNumberRule({ line_types: ['voip'] }, undefined, [LINES]);
  assert.deepEqual(rule, {
    ...{ swappedWithinHours: null, portedWithinHours: null },
    ...{ lineTypes: ['voip'], recycled: false },
  });
  assert.deepEqual(readNumberRule({}, undefined, []), { rule: null, errors: [] });
  const stored = { swappedWithinHours: null, lineTypes: ['voip'], recycled: false } as const;
  assert.equal(showNumberRule(stored)?.ported_within_hours, null);
});

test('one that refuses nothing is none', () => {
  for (const none of [null, undefined, written({ line_types: [] })])
    assert.deepEqual(readNumberRule(none, undefined, []), { rule: null, errors: [] });
  assert.equal(showNumberRule(undefined), null);
});

test('what no look-up can tell is refused by name, unless the account has it already', () => {
  const wanted = written({ swapped_within_hours: 24, ported_within_hours: 24, recycled: true });
  const fieldsOf = (stored: Parameters<typeof readNumberRule>[1]) =>
    readNumberRule(wanted, stored, [LINES]).errors.map(({ field, code }) => `${field} ${code}`);
  const ported = 'refuse/ported_within_hours no_effect';
  assert.deepEqual(fieldsOf(null), [
    'refuse/swapped_within_hours no_effect',
    ported,
    'refuse/recycled no_effect',
  ]);
  const stored = { swappedWithinHours: 72, lineTypes: [], recycled: false };
  assert.deepEqual(fieldsOf(stored), [ported, 'refuse/recycled no_effect']);
});
