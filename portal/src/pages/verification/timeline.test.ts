import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { VerificationDetail } from '#contract/verifications.ts';
import { timelineOf } from './timeline.ts';

const at = (seconds: number) => new Date(Date.parse('2026-11-20T12:00:00Z') + seconds * 1000).toISOString();

const detail: VerificationDetail = {
  verification: {
    id: 'ver_1',
    destination: '+44••••23',
    channel: 'sms',
    country: 'GB',
    test: false,
    status: 'confirmed',
    carrier: 'smsc',
    carriers_asked: ['smsc'],
    key: { id: 'key_1', name: 'Checkout' },
    requested_at: at(0),
    confirmed_at: at(20),
  },
  expires_at: at(600),
  guesses_left: 3,
  guesses_used: 2,
  verdict: null,
  metadata: {},
  device: { platform: null, app_version: null, network: null },
  attempts: [
    {
      carrier: 'smsc',
      channel: 'sms',
      choice: null,
      started_at: at(1),
      ms: 60,
      outcome: 'accepted',
      reason: null,
      cost: 0,
      receipt: { status: 'delivered', reason: null, at: at(25), price: null, network: null },
    },
  ],
};

describe('what happened to a verification', () => {
  test('is listed in order, with a late receipt after the confirmation', () => {
    const titles = timelineOf(detail, Date.parse(at(30))).map(({ title }) => title);
    assert.deepEqual(titles, ['Requested', 'smsc accepted it', 'Confirmed', 'Delivered']);
  });

  test('shows the price and the network that a receipt names', () => {
    const [attempt] = detail.attempts;
    assert.ok(attempt?.receipt);
    const stated = { price: { amount: 0.0333, currency: 'EUR' }, network: '26201' };
    const told = { ...detail, attempts: [{ ...attempt, receipt: { ...attempt.receipt, ...stated } }] };
    const last = timelineOf(told, Date.parse(at(30))).at(-1);
    assert.equal(last?.detail, 'Receipt from smsc. Price: €0.0333. Network: 26201.');
  });

  test('says by which channel it went on', () => {
    const [first] = detail.attempts;
    assert.ok(first);
    const call = { ...first, channel: 'voice' as const, started_at: at(21), receipt: null };
    const events = timelineOf({ ...detail, attempts: [first, call] }, Date.parse(at(30)));
    const last = events.find(({ at: when }) => when === at(21));
    assert.match(last?.detail ?? '', /^Sent by voice, because SMS did not reach\. /);
  });

  test('says of what was taken back that it was not delivered in time, and of no receipt', () => {
    const [first] = detail.attempts;
    assert.ok(first?.receipt);
    const receipt = { ...first.receipt, status: 'undelivered' as const, at: at(20) };
    const overRcs = { ...first, carrier: 'google', channel: 'rcs' as const };
    const sms = { ...first, started_at: at(21), receipt: null };
    const storyOf = (reason: string) =>
      timelineOf(
        {
          ...detail,
          verification: { ...detail.verification, channel: 'rcs', confirmed_at: null },
          attempts: [{ ...overRcs, receipt: { ...receipt, reason } }, sms],
        },
        Date.parse(at(30)),
      ).slice(2);
    const [back, next] = storyOf('taken-back');
    assert.equal(back?.title, 'Taken back');
    assert.equal(back?.detail, 'The service took it back from google, because it was not delivered in time.');
    assert.match(next?.detail ?? '', /^Sent by SMS, because RCS was not delivered in time\. /);
    // Telegram's own word for what it did itself.
    const [refused, after] = storyOf('revoked');
    assert.equal(refused?.detail, 'Receipt from google. It said: revoked.');
    assert.match(after?.detail ?? '', /^Sent by SMS, because RCS did not reach\. /);
  });

  test('ends with the expiry only once that has passed', () => {
    const open = { ...detail, verification: { ...detail.verification, confirmed_at: null } };
    assert.ok(!timelineOf(open, Date.parse(at(30))).some(({ title }) => title === 'Expired'));
    assert.equal(timelineOf(open, Date.parse(at(601))).at(-1)?.title, 'Expired');
  });
});
