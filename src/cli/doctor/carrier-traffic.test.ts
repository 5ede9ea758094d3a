import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LATENCY_BOUNDS, type Tally } from '../../core/counting/tally.ts';
import { stateNameOf } from '../../core/lookups/lookup-state.ts';
import type { CarrierState } from '../../core/sending/carrier-state.ts';
import {
  type CarrierTraffic,
  describeAside,
  describeCuts,
  describeFaults,
  describeLost,
  describeRefusing,
  describeTraffic,
  describeUnanswered,
} from './carrier-traffic.ts';

const NOW = 1_800_000_000_000;
const NO_GROUP = { time: null, channel: null, country: null, keyId: null };

function tallyOf(carrier: string, counts: Partial<Tally>): Tally {
  const nothing = { requested: 0, submitted: 0, delivered: 0, undelivered: 0, failed: 0, confirmed: 0 };
  const refused = { failedAttempts: 0, limitedByKey: 0, limitedByDestination: 0, mismatched: 0, cost: 0 };
  return { ...NO_GROUP, ...nothing, ...refused, carrier, ...counts };
}

function stateOf(node: string, wanted: Partial<CarrierState> = {}): CarrierState {
  return { node, carrier: 'smsc', breaker: 'closed', lastError: null, at: NOW, ...wanted };
}

const NOTHING: CarrierTraffic = { requested: 0, tallies: [], recent: [], latencies: [], states: [] };

test('a carrier without traffic says so', () => {
  assert.equal(describeTraffic(NOTHING, 'smsc', NOW), 'took nothing in the last hour');
});

test('the outcome of the messages of a carrier, and how the nodes see it', () => {
  const bins = [...LATENCY_BOUNDS.map((bound) => (bound === 2_500 ? 90 : 0)), 10];
  const traffic: CarrierTraffic = {
    ...NOTHING,
    requested: 200,
    tallies: [tallyOf('smsc', { submitted: 100, delivered: 96, undelivered: 2, confirmed: 88 })],
    latencies: [{ ...NO_GROUP, carrier: 'smsc', stage: 'delivered', bins }],
    states: [
      stateOf('n1', { lastError: { reason: 'throttled', at: NOW - 180_000 } }),
      stateOf('n2', { breaker: 'open', lastError: { reason: 'HTTP 503', at: NOW - 2_000 } }),
      stateOf('n1', { carrier: 'other', breaker: 'open' }),
    ],
  };
  assert.equal(
    describeTraffic(traffic, 'smsc', NOW),
    'took 100 in the last hour, 50 % of those requested, 96 % delivered (p50 1.8 s, p95 over 10 min), 88 % confirmed; ' +
      'breaker closed on n1, open on n2; last error 2.0 s ago on n2: HTTP 503',
  );
});

test('a carrier without receipts is not reported as bad', () => {
  const tallies = [tallyOf('smsc', { submitted: 3, confirmed: 3 })];
  const described = describeTraffic({ ...NOTHING, requested: 3, tallies }, 'smsc', NOW);
  assert.match(described, /none reported delivered or undelivered, 100 % confirmed$/);
});

test('what the operator has to fix is reported with the carrier, its error and where to look', () => {
  const reason = 'account or settings: 40305 sender not on the messaging profile';
  const told = (wanted: Partial<CarrierState>) =>
    describeFaults({ ...NOTHING, states: [stateOf('n1', wanted)] }, 'smsc', NOW);
  assert.equal(
    told({ lastError: { reason, at: NOW - 12_000 } }),
    'the carrier refuses our account or settings: 40305 sender not on the messaging profile (12.0 s ago on n1); ' +
      'fix it with the carrier, or in carriers.smsc',
  );
  assert.equal(told({ lastError: { reason, at: NOW - 600_000 } }), undefined, 'not met any more');
  assert.equal(told({ lastError: { reason: 'HTTP 503', at: NOW } }), undefined);
  assert.equal(told({ carrier: 'other', lastError: { reason, at: NOW } }), undefined);
});

test('a link that is lost again and again is told, though a trial bind succeeds', () => {
  const reason = 'no link: the SMSC has forgotten the session: submit_sm, ESME_RINVBNDSTS';
  const told = (at: number, carrier = 'smsc') =>
    describeCuts(
      { ...NOTHING, states: [stateOf('n1', { carrier, lastError: { reason, at } })] },
      'smsc',
      NOW,
    );
  assert.equal(
    told(NOW - 12_000),
    'n1 had no link 12.0 s ago: the SMSC has forgotten the session: submit_sm, ESME_RINVBNDSTS',
  );
  assert.equal(told(NOW - 600_000), undefined, 'not met any more');
  assert.equal(told(NOW, 'other'), undefined);
});

test('a question of a look-up that had no answer is told for ten minutes, and whether it is ours', () => {
  const told = (reason: string, at: number, lookup = 'swapped') =>
    describeUnanswered(
      { states: [stateOf('n1', { carrier: stateNameOf('swapped'), lastError: { reason, at } })] },
      lookup,
      NOW,
    );
  assert.deepEqual(told('account or settings: HTTP 403', NOW - 12_000), {
    detail: 'a question had no answer: account or settings: HTTP 403 (12.0 s ago on n1)',
    isOurs: true,
  });
  assert.equal(told('timed out', NOW)?.isOurs, false);
  assert.equal(told('timed out', NOW - 600_000), undefined);
  assert.equal(told('timed out', NOW, 'lines'), undefined);
});

test('receipts of no use are told, over all nodes', () => {
  const states = [
    stateOf('n1', { unusable: { unmatched: 3, unreadable: 1 } }),
    stateOf('n2', { unusable: { unmatched: 2, forged: 1 } }),
    stateOf('n1', { carrier: 'other', unusable: { forged: 9 } }),
  ];
  assert.equal(
    describeLost({ ...NOTHING, states }, 'smsc'),
    'of its receipts in the last hour 1 could not be read, 5 matched no message, 1 did not prove that it comes from the carrier',
  );
  assert.equal(describeLost({ ...NOTHING, states: [stateOf('n1')] }, 'smsc'), undefined);
});

test('a carrier that is set aside is told, with the nodes and their last errors', () => {
  const lastError = { reason: 'HTTP 503', at: NOW };
  const states = [
    stateOf('n1', { breaker: 'open', lastError }),
    stateOf('n2', { breaker: 'half-open' }),
    stateOf('n3', { lastError }),
  ];
  assert.equal(describeAside({ ...NOTHING, states }, 'smsc'), 'set aside on n1 (HTTP 503), set aside on n2');
  assert.equal(describeAside({ ...NOTHING, states }, 'other'), undefined);
});

test('a carrier that takes next to nothing is told, once there are attempts enough', () => {
  const took = (submitted: number, failedAttempts: number, carrier = 'smsc') =>
    describeRefusing({ ...NOTHING, recent: [tallyOf('smsc', { submitted, failedAttempts })] }, carrier);
  assert.equal(took(1, 39), 'it took 1 of 40 in the last ten minutes');
  assert.equal(took(0, 10), 'it took 0 of 10 in the last ten minutes');
  assert.equal(took(0, 9), undefined, 'too few to say');
  assert.equal(took(10, 90), undefined);
  assert.equal(took(0, 99, 'other'), undefined);
});
