import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createManualClock } from '../core/seams/clock-fixture.ts';
import { createEndingWatch } from './ending-watch.ts';

test('missed calls without an ending are warned of once a minute, with the account', () => {
  const said: unknown[] = [];
  const clock = createManualClock(0);
  const noneFree = createEndingWatch((level, _message, fields) => said.push([level, fields]), clock);
  for (const account of ['acc_1', 'acc_1', 'acc_2']) noneFree(account);
  assert.deepEqual(said, [['warn', { account: 'acc_1' }]]);
  clock.pass(60_000);
  noneFree('acc_2');
  assert.deepEqual(said[1], ['warn', { account: 'acc_2' }]);
});
