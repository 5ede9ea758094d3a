import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { SYSTEM_CLOCK } from '../../core/seams/clock.ts';
import { Cutoff } from './cutoff.ts';

suite('cutoff', () => {
  test('the time runs from the first start, however often it is started, and again from a restart', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const cutoff = new Cutoff(SYSTEM_CLOCK, 100, 'sms');
    t.mock.timers.tick(1_000);
    assert.equal(cutoff.reason, undefined, 'it was not started');
    cutoff.start();
    t.mock.timers.tick(60);
    cutoff.start();
    t.mock.timers.tick(39);
    assert.equal(cutoff.reason, undefined);
    cutoff.restart();
    t.mock.timers.tick(99);
    assert.equal(cutoff.reason, undefined);
    t.mock.timers.tick(1);
    assert.equal(cutoff.reason, 'deadline');
  });

  test('a signal requested late is already aborted, and a late listener is called at once', () => {
    const cutoff = new Cutoff(SYSTEM_CLOCK, 100, 'sms');
    cutoff.end('stopping');
    cutoff.end('deadline');
    assert.ok(cutoff.signal.aborted);
    const told: string[] = [];
    cutoff.onEnd((reason) => told.push(reason));
    assert.deepEqual(told, ['stopping']);
  });
});
