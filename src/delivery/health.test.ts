import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { SYSTEM_CLOCK } from '../core/seams/clock.ts';
import type { CarrierState } from '../core/sending/carrier-state.ts';
import { rememberingMetrics } from './fixture.ts';
import { HealthReporter } from './health.ts';

function watched(t: TestContext, note?: (states: readonly CarrierState[]) => Promise<void>) {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_000_000 });
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const noted: (readonly CarrierState[])[] = [];
  const warnings: string[] = [];
  const deliveryMetrics = rememberingMetrics();
  const health = new HealthReporter({
    clock: SYSTEM_CLOCK,
    store: {
      noteCarrierStates: async (states) => {
        noted.push(states);
        await note?.(states);
      },
      carrierStates: async () => [],
    },
    node: 'n1',
    log: (_, message) => void warnings.push(message),
  });
  const pass = (ms: number) => {
    now += ms;
    t.mock.timers.tick(ms);
  };
  return { health, deliveryMetrics, told: health.watch(deliveryMetrics), noted, warnings, pass };
}

test('a change is stored at once, and then at most once a second', (t) => {
  const { told, noted, pass } = watched(t);
  told.breaker('smsc', 'closed');
  told.breaker('gateway', 'closed');
  pass(0);
  assert.deepEqual(noted.splice(0), [
    [
      { node: 'n1', carrier: 'smsc', breaker: 'closed', lastError: null, at: 1_000_000 },
      { node: 'n1', carrier: 'gateway', breaker: 'closed', lastError: null, at: 1_000_000 },
    ],
  ]);
  for (let i = 0; i < 99; i++) {
    told.erred('smsc', `busy ${i}`, 1_000_000 + i);
    pass(10);
  }
  assert.deepEqual(noted, []);
  told.breaker('smsc', 'open');
  pass(10);
  const lastError = { reason: 'busy 98', at: 1_000_098 };
  assert.deepEqual(noted[0]?.[0], {
    node: 'n1',
    carrier: 'smsc',
    breaker: 'open',
    lastError,
    at: 1_001_000,
  });
  assert.equal(noted.length, 1);
});

test('without a change the state is stored every minute', (t) => {
  const { told, noted, pass } = watched(t);
  told.breaker('smsc', 'closed');
  for (let i = 0; i < 180; i++) pass(1_000);
  assert.equal(noted.length, 3);
  pass(1_000);
  assert.equal(noted.length, 4);
});

test('everything is passed on', (t) => {
  const { deliveryMetrics, told } = watched(t);
  told.requested('sms', 'DE');
  told.breaker('smsc', 'open');
  told.erred('smsc', 'busy', 1);
  assert.deepEqual(deliveryMetrics.told, ['requested DE', 'breaker open', 'erred busy']);
});

test('an unavailable store is logged as a warning, and the state is stored later', async (t) => {
  const { health, told, noted, warnings, pass } = watched(t, () => Promise.reject(new Error('away')));
  told.breaker('smsc', 'open');
  pass(0);
  pass(60_000);
  await health.stop();
  assert.equal(noted.length, 2);
  assert.equal(warnings.length, 2);
  told.breaker('smsc', 'closed');
  pass(120_000);
  assert.equal(noted.length, 2, 'it says no more once stopped');
});

test('an error that the operator has to fix is not hidden by a passing one, until it has not occurred for a while', (t) => {
  const { told, noted, pass } = watched(t);
  const lastErrors = () => noted.at(-1)?.map(({ lastError }) => lastError);
  const fault = { reason: 'account or settings: 9 no credit', at: 1_000_000 };
  told.erred('smsc', fault.reason, fault.at);
  told.erred('smsc', 'busy', 1_000_500);
  pass(0);
  assert.deepEqual(lastErrors(), [fault]);
  told.erred('smsc', 'account or settings: 4 credentials refused', 1_001_000);
  pass(1_000);
  assert.deepEqual(lastErrors(), [{ reason: 'account or settings: 4 credentials refused', at: 1_001_000 }]);
  pass(600_000);
  told.erred('smsc', 'busy', 1_601_000);
  pass(1_000);
  assert.deepEqual(lastErrors(), [{ reason: 'busy', at: 1_601_000 }]);
});

test('an error of a clock that was ahead is dated once the clock is right, once', (t) => {
  const { told, noted, pass } = watched(t);
  const reason = 'account or settings: 9 no credit';
  told.erred('smsc', reason, 1_000_000 + 3_600_000);
  pass(0);
  pass(60_000);
  pass(60_000);
  assert.deepEqual(
    noted.map((states) => states.map(({ lastError }) => lastError)),
    [1, 2, 3].map(() => [{ reason, at: 1_000_000 }]),
  );
});

test('an error of a clock that was ahead hides no later one, and an answer ends it', (t) => {
  const { health, told, noted, pass } = watched(t);
  const reason = 'account or settings: 9 no credit';
  const ahead = { reason, at: 1_000_000 + 3_600_000 };
  const toldOfLookups = health.watchLookups(() => {});
  told.erred('smsc', ahead.reason, ahead.at);
  told.erred('smsc', 'busy', 1_000_000);
  toldOfLookups('lines', ahead);
  toldOfLookups('lines', undefined);
  pass(0);
  assert.deepEqual(
    noted.at(-1)?.map(({ lastError }) => lastError?.reason),
    ['busy', undefined],
  );
});

test('the error of one carrier says nothing of another', (t) => {
  const { told, noted, pass } = watched(t);
  told.erred('smsc', 'account or settings: 9 no credit', 1_000_000);
  told.erred('gateway', 'busy', 1_000_500);
  pass(0);
  assert.deepEqual(
    noted[0]?.map(({ carrier, lastError }) => [carrier, lastError?.reason]),
    [
      ['smsc', 'account or settings: 9 no credit'],
      ['gateway', 'busy'],
    ],
  );
});

test('a carrier that is gone is not reported any more', (t) => {
  const { deliveryMetrics, told, noted, pass } = watched(t);
  for (const carrier of ['smsc', 'gateway']) told.breaker(carrier, 'open');
  pass(0);
  told.dismissed('smsc');
  pass(60_000);
  assert.deepEqual(
    noted.map((states) => states.map(({ carrier }) => carrier)),
    [['smsc', 'gateway'], ['gateway']],
  );
  assert.ok(deliveryMetrics.told.includes('dismissed smsc'));
});

test('receipts of no use are told for an hour', (t) => {
  const { told, noted, pass } = watched(t);
  told.unusable('smsc', 'unmatched', 2);
  told.unusable('smsc', 'forged', 1);
  pass(0);
  assert.deepEqual(noted.at(-1)?.[0]?.unusable, { unmatched: 2, forged: 1 });
  for (let minute = 0; minute < 30; minute += 1) pass(60_000);
  told.unusable('smsc', 'unmatched', 1);
  for (let minute = 0; minute < 29; minute += 1) pass(60_000);
  assert.deepEqual(noted.at(-1)?.[0]?.unusable, { unmatched: 3, forged: 1 });
  pass(60_000);
  assert.deepEqual(noted.at(-1)?.[0]?.unusable, { unmatched: 1 });
});

test('what a look-up answered takes back that one failed, but not what the operator has to put right', (t) => {
  const { health, noted, pass } = watched(t);
  const passed: unknown[] = [];
  const told = health.watchLookups((...each) => passed.push(each));
  const stored = () => {
    pass(1_000);
    return noted
      .splice(0)
      .map((states) => states.map(({ carrier, lastError }) => [carrier, lastError?.reason]));
  };
  told('lines', undefined);
  assert.deepEqual(stored(), [], 'nothing to tell');
  told('lines', { reason: 'HTTP 503', at: 1_001_000 });
  assert.deepEqual(stored(), [[['look-up lines', 'HTTP 503']]]);
  told('lines', undefined);
  assert.deepEqual(stored(), [[['look-up lines', undefined]]]);
  told('lines', { reason: 'account or settings: HTTP 403', at: 1_003_000 });
  told('lines', { reason: 'HTTP 503', at: 1_003_500 });
  told('lines', undefined);
  assert.deepEqual(stored(), [[['look-up lines', 'account or settings: HTTP 403']]]);
  pass(600_000);
  noted.splice(0);
  told('lines', undefined);
  assert.deepEqual(stored(), [[['look-up lines', undefined]]], 'it is over after ten minutes');
  assert.equal(passed.length, 7);
});
