import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NumberFact, NumberRule } from '../../core/lookups/facts.ts';
import type { NumberAnswer, NumberLookup } from '../../core/lookups/lookup.ts';
import { stateNameOf } from '../../core/lookups/lookup-state.ts';
import { inquire } from '../../core/verification/number-question.ts';
import { explainLookups } from './lookup-check.ts';

const RULE: NumberRule = {
  ...{ swappedWithinHours: 72, portedWithinHours: null },
  ...{ lineTypes: ['voip'], recycled: false },
};
const NOW = 1_800_000_000_000;

interface Wanted {
  readonly rule?: NumberRule;
  readonly country?: string;
  readonly confirmedAt?: number | null;
  readonly remembered?: Readonly<Record<string, NumberAnswer>>;
  readonly failure?: { readonly reason: string; readonly at: number };
}

/** With three look-ups, as the service would ask them. */
async function explain({
  rule = RULE,
  country = 'DE',
  confirmedAt = null,
  remembered = {},
  failure,
}: Wanted) {
  const lookup = (name: string, price: number, fact: NumberFact): NumberLookup => ({
    ...{ name, price, failsClosed: false, tells: new Set([fact]) },
    recall: () => remembered[name],
    permit: () => assert.fail('it was asked'),
  });
  const all = [
    ...(country === 'DE' ? [lookup('lines', 5_000, 'lineType')] : []),
    ...[lookup('swaps', 20_000, 'swapped'), lookup('owners', 30_000, 'recycled')],
  ];
  const inquiry = await inquire(
    {
      lookups: { that: (_, wanted) => all.filter(({ tells }) => wanted.some((fact) => tells.has(fact))) },
      records: { lastConfirmed: async () => confirmedAt },
      clock: { now: () => NOW },
    },
    { rule, number: '+4915112345678' },
    { accountId: 'acc_1', country, destinationHash: 'hash', earlierDestinationHashes: [] },
  );
  const states = failure && [
    { node: 'n1', carrier: stateNameOf('swaps'), breaker: 'closed' as const, lastError: failure, at: NOW },
  ];
  return explainLookups({ rule, inquiry, of: 'hash', states: states ?? [], currency: 'EUR', now: NOW });
}

test('who would be asked, and what would be refused, is said without asking', async () => {
  const { verdict, detail } = await explain({});
  assert.equal(verdict, 'unsure');
  assert.match(detail, /^Would be asked: lines \(0\.005 EUR\), then swaps \(0\.02 EUR\)\. /);
  assert.match(detail, /types voip; a SIM that was swapped within 72 hours\.$/);
  assert.match((await explain({ country: 'FR' })).detail, /asked: swaps \(/);
});

test('nobody is asked whether a number that was never confirmed went to somebody else', async () => {
  const recycled = { ...RULE, recycled: true };
  const { detail } = await explain({ rule: recycled });
  assert.doesNotMatch(detail, /owners/);
  assert.match(detail, /never confirmed the number/);
  assert.match((await explain({ rule: recycled, confirmedAt: 1 })).detail, /owners \(0\.03 EUR\)/);
  const only = { swappedWithinHours: null, lineTypes: [], recycled: true };
  const alone = await explain({ rule: only });
  assert.equal(alone.verdict, 'passes');
  assert.match(alone.detail, /never confirmed the number/);
});

test('an answer that is remembered costs nothing, and says what would become of the request', async () => {
  const refused = await explain({ remembered: { lines: { lineType: 'voip' } } });
  assert.equal(refused.verdict, 'refuses');
  assert.match(refused.detail, /^lines \(its answer is remembered, which costs nothing\): .* type voip\.$/);
  const known = { lines: { lineType: 'mobile' }, swaps: { swapped: false } } as const;
  assert.equal((await explain({ remembered: known })).verdict, 'passes');
  const away = await explain({ remembered: { lines: 'failed' } });
  assert.equal(away.verdict, 'unsure');
  assert.match(away.detail, /lines \(not asked just now/);
});

test('a look-up whose last question failed says why', async () => {
  const failure = { reason: 'HTTP 503', at: NOW - 60_000 };
  assert.match((await explain({ failure })).detail, /swaps \(0\.02 EUR; a question lately .*: HTTP 503\)/);
  assert.doesNotMatch((await explain({ failure: { ...failure, at: 0 } })).detail, /503/);
});

test('where nobody is asked, nothing is refused', () => {
  const asked = { rule: RULE, of: 'hash', states: [], currency: 'EUR', now: NOW };
  assert.equal(explainLookups({ ...asked, inquiry: undefined }).verdict, 'passes');
});
