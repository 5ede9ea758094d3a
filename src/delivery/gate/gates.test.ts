import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { SYSTEM_CLOCK } from '../../core/seams/clock.ts';
import { DailyCap } from '../../core/sending/daily-cap.ts';
import {
  ACCEPTED,
  messageWith,
  OPEN_GATE,
  rememberingMetrics,
  scriptedCarrier,
  TEMPORARY,
} from '../fixture.ts';
import { gateOf, lineUp } from './gates.ts';

const { timeout, breaker } = OPEN_GATE;

function gatesOf(failures: number, capOf: (carrier: string) => DailyCap | undefined = () => undefined) {
  const deliveryMetrics = rememberingMetrics();
  const carriers = [scriptedCarrier('a', () => TEMPORARY), scriptedCarrier('b', () => ACCEPTED)];
  const settings = [
    { timeout, breaker: { failures, resetAfter: 60_000 } },
    { timeout, breaker },
  ] as const;
  const parts = { capOf, budget: undefined, clock: SYSTEM_CLOCK, deliveryMetrics };
  const gates = carriers.map((carrier, index) => gateOf(carrier, settings[index === 0 ? 0 : 1], parts));
  return { gates: lineUp(gates), deliveryMetrics };
}

suite('gates', () => {
  test('carriers come in the requested order, each with its reason', () => {
    const { gates } = gatesOf(5);
    const choices = gates.before([
      { carrier: 'b', why: 'cheaper' },
      { carrier: 'a', why: null },
    ]);
    assert.deepEqual(
      choices.map(({ gate, why }) => [gate.name, why]),
      [
        ['b', 'cheaper'],
        ['a', null],
      ],
    );
    assert.deepEqual(
      gates.all.map(({ name }) => name),
      ['a', 'b'],
    );
    assert.throws(() => gates.before([{ carrier: 'c', why: null }]), /no carrier c/);
  });

  test('each has its own settings, and its breaker is in the metrics from the start', async () => {
    const { gates, deliveryMetrics } = gatesOf(1);
    assert.deepEqual(deliveryMetrics.told, ['breaker closed', 'breaker closed']);
    for (const gate of gates.all) await gate.submit(messageWith(), { wanted: true }, () => false);
    assert.deepEqual(deliveryMetrics.told.slice(2), ['breaker open']);
    assert.deepEqual(
      gates.all.map(({ admits }) => admits('sms')),
      [false, true],
    );
  });

  test('each has its own daily cap', async () => {
    const nothing = { takeQuota: async () => 0, returnQuota: async () => {} };
    const cap = new DailyCap(nothing, 'b', 1, SYSTEM_CLOCK);
    const { gates } = gatesOf(5, (carrier) => (carrier === 'b' ? cap : undefined));
    const answers = gates.all.map((gate) => gate.submit(messageWith(), { wanted: true }, () => false));
    assert.deepEqual(await Promise.all(answers), [
      TEMPORARY,
      { kind: 'passed', reason: 'daily cap reached' },
    ]);
  });
});
