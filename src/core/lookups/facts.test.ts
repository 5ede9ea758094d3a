import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type NumberFacts, type NumberRule, refusalBy, wantedBy } from './facts.ts';

const NOTHING: NumberRule = { swappedWithinHours: null, lineTypes: [], recycled: false };
const ALL: NumberRule = { swappedWithinHours: 72, lineTypes: ['voip', 'pager'], recycled: true };

test('only what the rule goes by is wanted', () => {
  assert.deepEqual(wantedBy(NOTHING), []);
  assert.deepEqual(wantedBy(ALL), ['lineType', 'swapped', 'recycled']);
  assert.deepEqual(wantedBy({ ...NOTHING, swappedWithinHours: 1 }), ['swapped']);
});

test('a number is refused by what is known of it, with the reason', () => {
  const ruleOf = (facts: NumberFacts, rule = ALL) => refusalBy(rule, facts)?.rule;
  assert.equal(ruleOf({ lineType: 'pager' }), 'lookup-line-type');
  assert.equal(ruleOf({ lineType: 'mobile', swapped: true }), 'lookup-swapped');
  assert.equal(ruleOf({ swapped: false, recycled: true }), 'lookup-recycled');
  assert.equal(ruleOf({ lineType: 'mobile', swapped: false, recycled: false }), undefined);
  assert.match(refusalBy(ALL, { swapped: true })?.detail ?? '', /within 72 hours/);
});

test('what is not known, and what the rule says nothing about, refuses nothing', () => {
  assert.equal(refusalBy(ALL, {}), undefined);
  assert.equal(refusalBy(NOTHING, { lineType: 'voip', swapped: true, recycled: true }), undefined);
});
