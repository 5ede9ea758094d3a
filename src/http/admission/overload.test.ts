import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { SYSTEM_CLOCK } from '../../core/seams/clock.ts';
import { createOverloadGuard } from './overload.ts';

describe('the overload guard', () => {
  it('looks at what the store has not answered', (t) => {
    let pending = 10;
    const guard = createOverloadGuard({
      clock: SYSTEM_CLOCK,
      pending: () => pending,
      maxPending: 10,
      maxLagMs: 60_000,
    });
    t.after(() => guard.close());
    assert.equal(guard.isOverloaded(), false);
    pending = 11;
    assert.equal(guard.isOverloaded(), true);
  });

  it('looks at how late the event loop runs, and recovers once the loop has read its sockets', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    let now = 0;
    t.mock.method(performance, 'now', () => now);
    const guard = createOverloadGuard({
      clock: SYSTEM_CLOCK,
      pending: () => 0,
      maxPending: 0,
      maxLagMs: 200,
    });
    t.after(() => guard.close());
    const sample = (tookMs: number) => {
      now += tookMs;
      t.mock.timers.tick(100);
      return guard.isOverloaded();
    };
    assert.deepEqual([sample(100), sample(250), sample(500), sample(100)], [false, false, true, true]);
    await setImmediate();
    assert.equal(sample(100), false);
  });

  it('knows of a standstill before its next look, which may come after what piled up', (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    let now = 0;
    t.mock.method(performance, 'now', () => now);
    const guard = createOverloadGuard({
      clock: SYSTEM_CLOCK,
      pending: () => 0,
      maxPending: 0,
      maxLagMs: 200,
    });
    t.after(() => guard.close());
    now = 300;
    assert.equal(guard.isOverloaded(), false);
    now = 301;
    assert.equal(guard.isOverloaded(), true);
  });
});
