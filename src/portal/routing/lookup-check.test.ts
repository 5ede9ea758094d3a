import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NumberRule } from '../../core/lookups/facts.ts';
import type { Lookups, ShownLookup } from '../../core/lookups/lookup.ts';
import { explainLookups } from './lookup-check.ts';

const RULE: NumberRule = {
  ...{ swappedWithinHours: 72, portedWithinHours: null },
  ...{ lineTypes: ['voip'], recycled: false },
};
const ALL: readonly ShownLookup[] = [
  { name: 'lines', price: 5_000, failsClosed: false, tells: new Set(['lineType']), countries: ['DE'] },
  { name: 'swaps', price: 20_000, failsClosed: true, tells: new Set(['swapped']), countries: undefined },
];
const opened: Lookups = {
  all: ALL,
  that: (country, wanted) =>
    ALL.filter(
      ({ tells, countries }) =>
        (countries?.includes(country) ?? true) && wanted.some((fact) => tells.has(fact)),
    ).map((shown) => ({ ...shown, recall: () => undefined, permit: () => assert.fail('it was asked') })),
  inTurn: (_, run) => run(),
};

test('who would be asked, and what would be refused, is said without asking', () => {
  const { verdict, detail } = explainLookups(opened, RULE, 'DE', 'EUR');
  assert.equal(verdict, 'unsure');
  assert.match(detail, /lines \(0\.005 EUR\), then swaps \(0\.02 EUR\)/);
  assert.match(detail, /types voip; a SIM that was swapped within 72 hours/);
  assert.match(explainLookups(opened, RULE, 'FR', 'EUR').detail, /asked: swaps \(/);
});

test('without a rule, and without a look-up that could tell, nothing is refused', () => {
  assert.equal(explainLookups(opened, null, 'DE', 'EUR').verdict, 'passes');
  const recycled = { swappedWithinHours: null, lineTypes: [], recycled: true };
  assert.match(explainLookups(opened, recycled, 'DE', 'EUR').detail, /No look-up/);
  assert.equal(explainLookups(undefined, RULE, 'DE', 'EUR').verdict, 'passes');
});
