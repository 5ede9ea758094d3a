import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createManualClock } from '../core/seams/clock-fixture.ts';
import { logBreakers } from './breaker-log.ts';
import { gateOf, messageWith, rememberingMetrics, scriptedCarrier, TEMPORARY } from './fixture.ts';

const ASIDE = 'carrier set aside: its messages fail one after the other';

function logging() {
  const lines: string[] = [];
  const deliveryMetrics = rememberingMetrics();
  const told = logBreakers(deliveryMetrics, (level, message, fields) =>
    lines.push(`${level} ${message} ${fields?.carrier}: ${fields?.reason}`),
  );
  return { lines, deliveryMetrics, told };
}

test('a carrier that fails is told of once, and once when it is in use again', () => {
  const { lines, deliveryMetrics, told } = logging();
  told.breaker('smsc', 'closed');
  told.breaker('smsc', 'open', 'HTTP 503');
  for (let trial = 0; trial < 5; trial++) {
    told.breaker('smsc', 'half-open');
    told.breaker('smsc', 'open');
  }
  assert.deepEqual(lines.splice(0), [`warn ${ASIDE} smsc: HTTP 503`]);
  told.breaker('smsc', 'half-open');
  told.breaker('other', 'closed');
  told.breaker('smsc', 'closed');
  told.breaker('smsc', 'closed');
  assert.deepEqual(lines.splice(0), ['info carrier in use again smsc: HTTP 503']);
  told.breaker('smsc', 'open', 'refused +49 151 12345678');
  assert.deepEqual(lines, [`warn ${ASIDE} smsc: refused +[number]`]);
  assert.equal(deliveryMetrics.told.length, 17);
});

test('a carrier that is gone is not told of any more', () => {
  const { lines, told } = logging();
  told.breaker('smsc', 'open', 'deadline');
  told.dismissed('smsc');
  told.breaker('smsc', 'closed');
  assert.equal(lines.length, 1);
});

test('a breaker says what failed last when it opens', async () => {
  const clock = createManualClock();
  const { gate, states, reasons } = gateOf(
    scriptedCarrier('smsc', () => TEMPORARY),
    { clock },
  );
  for (let i = 0; i < 3; i++) await gate.submit(messageWith());
  assert.deepEqual(reasons, ['busy']);
  clock.pass(1_000);
  await gate.submit(messageWith());
  assert.deepEqual(states, ['open', 'half-open', 'open']);
  assert.deepEqual(reasons, ['busy'], 'a trial that fails is no news');
});
