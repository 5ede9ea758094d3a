import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type NumberFacts, type NumberRule, refusalBy, refusedBy, wantedBy } from './facts.ts';

const NOTHING: NumberRule = {
  ...{ swappedWithinHours: null, portedWithinHours: null },
  ...{ lineTypes: [], recycled: false },
};
const ALL: NumberRule = {
  ...{ swappedWithinHours: 72, portedWithinHours: 48 },
  ...{ lineTypes: ['voip', 'pager'], recycled: true },
};

test('only what the rule goes by is wanted', () => {
  assert.deepEqual(wantedBy(NOTHING), []);
  assert.deepEqual(wantedBy(ALL), ['lineType', 'swapped', 'ported', 'recycled']);
  assert.deepEqual(wantedBy({ ...NOTHING, swappedWithinHours: 1 }), ['swapped']);
  assert.deepEqual(wantedBy({ ...NOTHING, portedWithinHours: 1 }), ['ported']);
});

test('a number is refused by what is known of it, with the reason', () => {
  const ruleOf = (facts: NumberFacts, rule = ALL) => refusalBy(rule, facts)?.rule;
  assert.equal(ruleOf({ lineType: 'pager' }), 'lookup-line-type');
  assert.equal(ruleOf({ lineType: 'mobile', swapped: true }), 'lookup-swapped');
  assert.equal(ruleOf({ swapped: false, ported: true, recycled: true }), 'lookup-ported');
  assert.equal(ruleOf({ swapped: false, recycled: true }), 'lookup-recycled');
  assert.equal(ruleOf({ lineType: 'mobile', swapped: false, recycled: false }), undefined);
  assert.match(refusalBy(ALL, { swapped: true })?.detail ?? '', /within 72 hours/);
  assert.match(refusalBy(ALL, { ported: true })?.detail ?? '', /another carrier within 48 hours/);
});

test('what is not known, and what the rule says nothing about, refuses nothing', () => {
  assert.equal(refusalBy(ALL, {}), undefined);
  assert.equal(
    refusalBy(NOTHING, { lineType: 'voip', swapped: true, ported: true, recycled: true }),
    undefined,
  );
});

test('a rule that was stored before there was one about carriers goes by none', () => {
  const { portedWithinHours: _, ...earlier } = NOTHING;
  assert.deepEqual(wantedBy(earlier), []);
  assert.equal(refusalBy(earlier, { ported: true }), undefined);
});

test('what a rule refuses is said in the order in which it is judged', () => {
  assert.deepEqual(refusedBy(ALL, 'inShort'), [
    'voip, pager',
    'swapped within 72 hours',
    'ported within 48 hours',
    'recycled',
  ]);
  assert.deepEqual(refusedBy(NOTHING, 'what'), []);
});
