import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CarrierTestView } from '../../../../../src/portal/carrier-tests/contract.ts';
import { awaited, eventsOf } from './events.ts';

const ASKED: CarrierTestView = {
  ...{ id: 'ver_1', carrier: 'acme', channel: 'sms', number: '+49•••12', asked_by: 'Ada' },
  ...{ asked_at: '2026-11-23T12:00:00.000Z', state: 'waiting', answer: null, receipt: null },
};
const answer = {
  ...{ at: '2026-11-23T12:00:01.000Z', ms: 900, reference: null, reason: null, cause: null, cost: 0 },
} as const;
const titles = (test: CarrierTestView) => eventsOf(test).map(({ title }) => title);
const last = (test: CarrierTestView) => eventsOf(test).at(-1)?.detail ?? '';

test('a test that goes well says who took it, under which id, and when it arrived', () => {
  const taken: CarrierTestView = { ...ASKED, state: 'taken', answer: { ...answer, reference: 'ref-7' } };
  assert.deepEqual(titles(ASKED), ['Asked']);
  assert.deepEqual(titles(taken), ['Asked', 'acme took it']);
  assert.match(last(taken), /ref-7/);
  const receipt = { at: '2026-11-23T12:00:04.000Z', status: 'delivered', reason: null } as const;
  const there: CarrierTestView = { ...taken, state: 'delivered', receipt };
  assert.deepEqual(titles(there), ['Asked', 'acme took it', 'Delivered']);
  assert.deepEqual(
    [ASKED, taken, there].map((each) => awaited(each) === undefined),
    [false, false, true],
  );
});

test('a refusal has the carrier’s words, and what to do about its cause', () => {
  const told = (['settings', 'message', 'for-now'] as const).map((cause) =>
    last({ ...ASKED, state: 'refused', answer: { ...answer, reason: 'HTTP 403', cause } }),
  );
  for (const each of told) assert.match(each, /It said: HTTP 403\. [A-Z]/);
  assert.equal(new Set(told).size, 3);
});

test('an unknown outcome is not called sent, and a test that was not sent says why', () => {
  assert.match(last({ ...ASKED, state: 'unknown' }), /may have been sent or not. It is not sent again/);
  const unclear = { ...ASKED, state: 'unclear', answer: { ...answer, reason: 'deadline' } } as const;
  assert.match(last(unclear), /no answer in time\. The message may have been sent or not/);
  const notAsked = (reason: string) => last({ ...ASKED, state: 'not-asked', answer: { ...answer, reason } });
  assert.match(notAsked('breaker open'), /set aside/);
  assert.match(notAsked('something new'), /Try again/);
});
