import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createManualClock } from '../../core/seams/clock-fixture.ts';
import { judgeMissedCall } from './ending.ts';
import type { CallEvent } from './event.ts';
import type { CallLine } from './line.ts';
import { missCall } from './missed-call.ts';
import type { Rest } from './rest.ts';

const ORDER = {
  ...{ channel: 'c-1', app: 'app', endpoint: 'PJSIP/1@carrier', callerId: '+49301230417' },
  ...{ reachMs: 30_000, ringMs: 5_000 },
};

const dialled: Rest = async () => ({ kind: 'answered', status: 200, body: {} });

/** What becomes of a call with these events, each so long after the one before, and how long it is waited for after the last. */
async function callWith(...events: readonly (readonly [afterMs: number, event: CallEvent])[]) {
  const clock = createManualClock();
  const coming = [...events];
  let waitedMs = 0;
  const line: Pick<CallLine, 'next'> = {
    async next(until) {
      const [afterMs, event] = coming.shift() ?? [until - clock.steady(), { kind: 'late' }];
      assert.ok(clock.steady() + afterMs <= until, 'it was given up before this event');
      clock.pass(afterMs);
      waitedMs = event.kind === 'late' ? afterMs : 0;
      return event;
    },
  };
  const { outcome } = judgeMissedCall(await missCall(clock, ORDER, line, dialled));
  return { ...outcome, waitedMs };
}

suite('a missed call', () => {
  test('rings for its time from the first ringing on, however long the networks took', async () => {
    assert.deepEqual(await callWith([20_000, { kind: 'ringing' }]), { kind: 'delivered', waitedMs: 5_000 });
    // A second sign of the same makes it no longer.
    assert.deepEqual(await callWith([20_000, { kind: 'ringing' }], [2_000, { kind: 'ringing' }]), {
      ...{ kind: 'delivered', waitedMs: 3_000 },
    });
  });

  test('that rings after early media rings for its whole time', async () => {
    assert.deepEqual(await callWith([1_000, { kind: 'early media' }]), { kind: 'accepted', waitedMs: 5_000 });
    assert.deepEqual(await callWith([1_000, { kind: 'early media' }], [4_000, { kind: 'ringing' }]), {
      ...{ kind: 'delivered', waitedMs: 5_000 },
    });
  });

  test('is not waited for longer than the networks may take', async () => {
    assert.deepEqual(await callWith(), { kind: 'temporary', reason: 'no response', waitedMs: 30_000 });
  });

  test('that rang has arrived, even if it cannot be followed or is no longer wanted', async () => {
    for (const event of [
      { kind: 'lost', reason: 'the link to Asterisk broke' },
      { kind: 'aborted' },
    ] as const) {
      assert.deepEqual(await callWith([1, { kind: 'ringing' }], [1, event]), {
        kind: 'delivered',
        waitedMs: 0,
      });
      assert.equal((await callWith([1, event])).kind, 'temporary');
    }
  });

  test('goes on after the link came back, in the state that the channel is in', async () => {
    const inState = (state: string) => callWith([1_000, { kind: 'resumed', state }]);
    assert.deepEqual(await inState('Ringing'), { kind: 'delivered', waitedMs: 5_000 });
    assert.equal((await inState('Up')).kind, 'permanent');
    assert.equal((await inState('Down')).kind, 'temporary');
  });
});
