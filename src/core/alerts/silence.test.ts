import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSilenced } from './silence.ts';

const ALERT = { accountId: 'acc_1', rule: 'conversion-fell', subject: 'country DE' } as const;
const SILENCE = { accountId: 'acc_1', rule: null, subject: null, endsAt: 2_000 } as const;

const isSilent = (...silences: Parameters<typeof isSilenced>[1]) => isSilenced(ALERT, silences, 1_000);

test('a silence covers what it names, in its own account, until it ends', () => {
  const { rule, subject } = ALERT;
  assert.ok(isSilent(SILENCE));
  assert.ok(isSilent({ ...SILENCE, rule }));
  assert.ok(isSilent({ ...SILENCE, rule, subject }));
  for (const elsewhere of [
    { accountId: 'acc_2' },
    { rule: 'spend-high' },
    { rule, subject: 'country FR' },
    { rule: 'spend-high', subject },
    { endsAt: 1_000 },
  ] as const) {
    assert.ok(!isSilent({ ...SILENCE, ...elsewhere }));
    assert.ok(isSilent({ ...SILENCE, ...elsewhere }, SILENCE), 'one of several is enough');
  }
});
