import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Outcome } from '../../core/sending/carrier.ts';
import { ACCEPTED, gateOf, hang, messageWith, OPEN_GATE, scriptedCarrier, settled } from '../fixture.ts';

const message = messageWith();
const PASSED_FULL = { kind: 'passed', reason: 'places taken' };

suite('the line before a carrier', () => {
  test('no more are under way than the concurrency, and the others wait their turn', async () => {
    const answers: ((outcome: Outcome) => void)[] = [];
    const carrier = scriptedCarrier('c', () => new Promise((resolve) => answers.push(resolve)));
    const { gate } = gateOf(carrier, { concurrency: 2 });
    const ids = ['a', 'b', 'c', 'd', 'e'];
    const outcomes = ids.map((id) => gate.submit(messageWith({ id })));
    for (let done = 0; done < ids.length; done++) {
      await settled();
      assert.deepEqual(carrier.submitted, ids.slice(0, done + 2));
      answers[done]?.(ACCEPTED);
    }
    assert.deepEqual(await Promise.all(outcomes), Array(5).fill(ACCEPTED));
  });

  test('the deadline covers the waiting for a place and for the pace', async () => {
    const crowded = scriptedCarrier('c', hang);
    const { gate } = gateOf(crowded, { timeout: 20, concurrency: 1, breaker: OPEN_GATE.breaker });
    const both = await Promise.all([gate.submit(messageWith({ id: 'a' })), gate.submit(message)]);
    assert.deepEqual(
      both.map((outcome) => outcome.kind),
      ['temporary', 'temporary'],
    );
    const slow = scriptedCarrier('c', () => ACCEPTED);
    const { gate: paced } = gateOf(slow, { timeout: 20, rate: { max: 1, windowMs: 60_000 } });
    await paced.submit(message);
    assert.deepEqual(await paced.submit(message), { kind: 'temporary', reason: 'deadline' });
  });

  test('a carrier has its whole time, however long the message waited for its place', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const answers: (() => void)[] = [];
    const carrier = scriptedCarrier(
      'c',
      () => new Promise((resolve) => answers.push(() => resolve(ACCEPTED))),
    );
    const { gate } = gateOf(carrier, { timeout: 100, concurrency: 1 });
    const first = gate.submit(message);
    const second = gate.submit(messageWith({ id: 'b' }));
    await settled();
    t.mock.timers.tick(90);
    answers[0]?.();
    await first;
    await settled();
    t.mock.timers.tick(90);
    answers[1]?.();
    assert.deepEqual(await second, ACCEPTED);
  });

  suite('with another carrier to go to', () => {
    test('the first waits a little for a place, those after it not at all until one is free; who has no other waits on', async (t) => {
      t.mock.timers.enable({ apis: ['setTimeout'] });
      const answers: ((outcome: Outcome) => void)[] = [];
      const carrier = scriptedCarrier('c', () => new Promise((resolve) => answers.push(resolve)));
      const { gate } = gateOf(carrier, { concurrency: 1 });
      const asked = gate.submit(messageWith({ id: 'a' }));
      const waiting = gate.submit(messageWith({ id: 'b' }), true);
      t.mock.timers.tick(250);
      assert.deepEqual(await waiting, PASSED_FULL);
      assert.deepEqual(gate.submit(messageWith({ id: 'd' }), true), PASSED_FULL);
      const patient = gate.submit(messageWith({ id: 'c' }));
      t.mock.timers.tick(10_000);
      answers[0]?.(ACCEPTED);
      await asked;
      await settled();
      const late = gate.submit(messageWith({ id: 'e' }), true);
      answers[1]?.(ACCEPTED);
      assert.deepEqual(await patient, ACCEPTED);
      await settled();
      answers[2]?.(ACCEPTED);
      assert.deepEqual(await late, ACCEPTED);
      assert.deepEqual(carrier.submitted, ['a', 'c', 'e']);
    });

    test('who has found a place is not hurried', async (t) => {
      t.mock.timers.enable({ apis: ['setTimeout'] });
      const answers: ((outcome: Outcome) => void)[] = [];
      const carrier = scriptedCarrier('c', () => new Promise((resolve) => answers.push(resolve)));
      const { gate } = gateOf(carrier, { concurrency: 1 });
      const outcomes = [gate.submit(message, true), gate.submit(message, true)];
      await settled();
      answers[0]?.(ACCEPTED);
      await settled();
      t.mock.timers.tick(10_000);
      answers[1]?.(ACCEPTED);
      assert.deepEqual(await Promise.all(outcomes), [ACCEPTED, ACCEPTED]);
    });
  });
});
