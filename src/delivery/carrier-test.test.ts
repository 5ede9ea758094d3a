/** A test of a carrier in delivery: it is asked once, nobody waits for it, and what is in its way is told. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { SYSTEM_CLOCK } from '../core/seams/clock.ts';
import { SYSTEM_RANDOM } from '../core/seams/random.ts';
import { NOT_ASKED, type Outcome, UNCLEAR } from '../core/sending/carrier.ts';
import type { Settlement } from '../core/sending/delivery.ts';
import {
  ACCEPTED,
  emptyQueue,
  inTurn,
  messageWith,
  NO_FUNDS,
  PERMANENT,
  scriptedCarrier,
  settled,
  startDispatcher,
  TEMPORARY,
} from './fixture.ts';
import type { Gate } from './gate/gate.ts';
import type { GateAnswer } from './gate/gate-answer.ts';
import { runRound } from './round.ts';

const TEST = messageWith({ only: 'acme' });
const NO_ANSWER: Outcome = { kind: 'temporary', reason: 'deadline', unclear: true };

async function round(answer: GateAnswer) {
  const hurried: boolean[] = [];
  const gate: Gate = {
    name: 'acme',
    silent: false,
    ...{ admits: () => true, takesBack: false },
    submit(_message, _wish, elsewhere) {
      hurried.push(elsewhere());
      return answer;
    },
    revoke: () => undefined,
    abort() {},
  };
  const ports = {
    clock: SYSTEM_CLOCK,
    random: SYSTEM_RANDOM,
    recipientTag: () => 'tag',
    costOf: () => 1,
    nextFallbackStep: () => undefined,
  };
  const facts = { wanted: true, rounds: 0, spentCarriers: [] };
  const { attempts, next, charged } = await runRound(TEST, [{ gate, why: null }], facts, ports, 0);
  const [attempt] = attempts;
  return { hurried, asked: attempts.length, reason: attempt?.reason, next: next.kind, charged };
}

suite('a test of a carrier', () => {
  test('ends with the first answer, whatever it is', async () => {
    const rest = { hurried: [true], asked: 1 };
    assert.deepEqual(await round(ACCEPTED), { ...rest, reason: null, next: 'submitted', charged: ['acme'] });
    assert.deepEqual(await round(TEMPORARY), { ...rest, reason: 'busy', next: 'failed', charged: [] });
    assert.deepEqual(await round(PERMANENT), { ...rest, reason: 'refused', next: 'failed', charged: [] });
    const unclear = { ...rest, reason: `deadline${UNCLEAR}`, next: 'failed', charged: ['acme'] };
    assert.deepEqual(await round(NO_ANSWER), unclear);
    const passed = { ...rest, reason: `${NOT_ASKED}breaker open`, next: 'failed', charged: [] };
    assert.deepEqual(await round({ kind: 'passed', reason: 'breaker open' }), passed);
  });

  test('that is not asked says nothing of the carrier’s health, nor that a code failed', async () => {
    const acme = scriptedCarrier('acme', inTurn(TEMPORARY));
    const written: Settlement[] = [];
    const queue = emptyQueue({
      settle: async (settlement) => {
        written.push(settlement);
        return [];
      },
    });
    const gateOptions = () => ({ breaker: { failures: 1, resetAfter: 60_000 } });
    const { dispatcher, deliveryMetrics } = startDispatcher([acme], { queue, gateOptions });
    for (let i = 0; i < 2; i++) {
      dispatcher.accept(TEST, Date.now(), performance.now(), NO_FUNDS);
      await settled();
    }
    await dispatcher.stop();
    assert.deepEqual(
      written.map(({ attempts }) => attempts.map(({ reason }) => reason)),
      [['busy'], [`${NOT_ASKED}breaker open`]],
    );
    assert.equal(acme.submitted.length, 1);
    assert.deepEqual(
      deliveryMetrics.told.filter((each) => /^(attempted|erred|failed)/.test(each)),
      ['attempted temporary', 'erred busy'],
    );
  });
});
