import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createManualClock } from '../../core/seams/clock-fixture.ts';
import type { Carrier, Outcome, Revocation } from '../../core/sending/carrier.ts';
import {
  ACCEPTED,
  gateOf,
  hang,
  inTurn,
  messageWith,
  OPEN_GATE,
  PERMANENT,
  scriptedCarrier,
  settled,
  TEMPORARY,
} from '../fixture.ts';
import { createGate } from './gate.ts';

const message = messageWith();

suite('gate', () => {
  test('an outcome is passed on unchanged', async () => {
    for (const outcome of [ACCEPTED, TEMPORARY, PERMANENT, { kind: 'delivered' } as const]) {
      const { gate } = gateOf(scriptedCarrier('c', () => outcome));
      assert.deepEqual(await gate.submit(message), outcome);
    }
  });

  test('a receipt is written for what can be taken back, also of a carrier that sends none', () => {
    const silent = { ...scriptedCarrier('c', () => ACCEPTED), silent: true } as const;
    const isSilent = (carrier: Carrier) => createGate(carrier, OPEN_GATE, () => {}).silent;
    assert.equal(isSilent(silent), true);
    assert.equal(isSilent({ ...silent, revoke: async () => 'unknown' as const }), false);
  });

  test('a carrier that throws counts as temporary, and its message is not shown', async () => {
    for (const script of [
      () => {
        throw new TypeError('secret 482913');
      },
      () => Promise.reject('secret 482913'),
    ]) {
      const outcome = await gateOf(scriptedCarrier('c', script)).gate.submit(message);
      assert.equal(outcome.kind, 'temporary');
      assert.doesNotMatch(JSON.stringify(outcome), /482913/);
    }
  });

  test('a message is taken back where the carrier can, and nobody knows of it if the carrier fails', async () => {
    const carrier = scriptedCarrier('c', () => ACCEPTED);
    const taken = { ...message, channel: 'rcs', reference: 'r1' } as const;
    const revoke = (answer?: () => Promise<Revocation>) =>
      createGate({ ...carrier, ...(answer && { revoke: answer }) }, OPEN_GATE, () => {}).revoke(taken);
    assert.equal(revoke(), undefined);
    assert.equal(await revoke(async () => 'revoked'), 'revoked');
    assert.equal(await revoke(() => Promise.reject(new TypeError('secret 482913'))), 'unknown');
  });

  test('the deadline holds even against a carrier that ignores its signal', async () => {
    const { gate } = gateOf(scriptedCarrier('c', hang), { timeout: 20, concurrency: 1 });
    assert.deepEqual(await gate.submit(message), { kind: 'temporary', reason: 'deadline', unclear: true });
    assert.deepEqual(
      await gate.submit(message),
      { kind: 'temporary', reason: 'deadline', unclear: true },
      'its place is free',
    );
  });

  test('the signal tells the carrier about the deadline', async () => {
    let aborted = false;
    const carrier = scriptedCarrier('c', (_message, signal) => {
      signal.addEventListener('abort', () => {
        aborted = true;
      });
      return new Promise<Outcome>(() => {});
    });
    await gateOf(carrier, { timeout: 10 }).gate.submit(message);
    assert.ok(aborted);
  });

  test('abort ends what is under way and what waits, as temporary', async () => {
    const { gate } = gateOf(scriptedCarrier('c', hang), { concurrency: 1 });
    const outcomes = [1, 2, 3].map(() => gate.submit(message));
    await settled();
    gate.abort();
    assert.deepEqual(
      (await Promise.all(outcomes)).map((outcome) => outcome.kind),
      ['temporary', 'temporary', 'temporary'],
    );
  });

  test('a throttled carrier is left alone for the time that it asks for', async () => {
    const clock = createManualClock();
    const throttled: Outcome = { ...TEMPORARY, throttled: true, retryAfterMs: 700 };
    const carrier = scriptedCarrier('c', inTurn(throttled, ACCEPTED));
    const { gate } = gateOf(carrier, { clock });
    assert.deepEqual(await gate.submit(message), throttled);
    clock.step(-3_600_000);
    clock.pass(699);
    assert.deepEqual(gate.submit(message), { kind: 'passed', reason: 'paused', pauseMs: 1 });
    clock.pass(1);
    assert.deepEqual(await gate.submit(message), ACCEPTED);
  });

  test('a carrier that asks for longer than ten minutes is asked after ten', async () => {
    const clock = createManualClock();
    const throttled: Outcome = { ...TEMPORARY, throttled: true, retryAfterMs: 3_600_000 };
    const { gate } = gateOf(scriptedCarrier('c', inTurn(throttled, ACCEPTED)), { clock });
    await gate.submit(message);
    clock.pass(599_999);
    assert.deepEqual(gate.submit(message), { kind: 'passed', reason: 'paused', pauseMs: 1 });
    clock.pass(1);
    assert.deepEqual(await gate.submit(message), ACCEPTED);
  });

  test('a shorter wish of another answer under way does not end a longer one', async () => {
    const clock = createManualClock();
    const answers: ((outcome: Outcome) => void)[] = [];
    const carrier = scriptedCarrier('c', () => new Promise((resolve) => answers.push(resolve)));
    const { gate } = gateOf(carrier, { clock });
    const both = [gate.submit(message), gate.submit(messageWith({ id: 'b' }))];
    for (const [i, retryAfterMs] of [700, 300].entries()) {
      answers[i]?.({ ...TEMPORARY, throttled: true, retryAfterMs });
      await both[i];
    }
    clock.pass(699);
    assert.deepEqual(gate.submit(message), { kind: 'passed', reason: 'paused', pauseMs: 1 });
  });

  test('a wait that a carrier asks for one message does not affect the others', async () => {
    const still: Outcome = { ...TEMPORARY, retryAfterMs: 60_000 };
    const { gate } = gateOf(scriptedCarrier('c', inTurn(still, ACCEPTED)));
    await gate.submit(message);
    assert.deepEqual(await gate.submit(message), ACCEPTED);
  });
});
