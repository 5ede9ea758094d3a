import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Route } from '../sending/routing.ts';
import { createSpending } from './spending.ts';

const REAL: Route = { channel: 'sms', carriers: ['a'] };
const SIMULATED: Route = { channel: 'voice', carriers: ['simulator'] };

test('what goes only to the simulator counts for no budget, neither of the service nor of the account', () => {
  const { findBudgets } = createSpending(
    {
      budgets: [{ of: 'installation', per: 'day', messages: 1 }],
      carriers: { a: { type: 'http', prices: { FR: 0.05 } }, simulator: { type: 'simulator' } },
      priceRows: [],
    },
    new Set([SIMULATED]),
    () => [],
    () => REAL,
    { budgetUse: async () => [] },
    () => 0,
  );
  const own = [{ of: 'key', per: 'hour', messages: 1 }] as const;
  const destination = { address: '+33612345678', kind: 'e164', country: 'FR' } as const;
  const asked = { accountId: 'acc_1', keyId: 'key_1', destination, own };
  assert.equal(findBudgets({ ...asked, route: SIMULATED }), undefined);
  const found = findBudgets({ ...asked, route: REAL });
  assert.ok(typeof found === 'object');
  assert.deepEqual(
    found.limits.map(({ kind }) => kind),
    ['installation', 'key'],
  );
});
