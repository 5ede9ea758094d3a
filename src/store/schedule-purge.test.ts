import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { createManualClock } from '../core/seams/clock-fixture.ts';
import { schedulePurge } from './schedule-purge.ts';

test('rows are as old as the clock that is believed says, and nothing is deleted while nobody can tell', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const clock = createManualClock();
  const purged: number[][] = [];
  let isKnown = false;
  const aged = async () => {
    if (!isKnown) throw new Error('away');
    return clock.now() - 40;
  };
  const purge = async (...times: number[]) => {
    purged.push(times);
    return false;
  };
  using _ = schedulePurge({ clock, purge }, aged, pino({ level: 'silent' }));
  const pass = async () => {
    clock.pass(60_000);
    t.mock.timers.tick(60_000);
    for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
  };
  await pass();
  assert.deepEqual(purged, []);
  isKnown = true;
  await pass();
  assert.deepEqual(purged, [[clock.now(), clock.now() - 40]]);
});
