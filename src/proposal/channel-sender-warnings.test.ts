import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadText } from '../config/fixture.ts';
import { warnOfOptions } from './warnings.ts';

const MG = `MG${'0'.repeat(32)}`;
const OTHER = `MG${'1'.repeat(32)}`;
const ACCOUNT = { type: 'twilio', accountSid: `AC${'0'.repeat(32)}`, authToken: 't' };

function warned(carriers: object) {
  const names = Object.keys(carriers);
  const text = JSON.stringify({
    carriers,
    routes: [
      { channel: 'sms', carriers: names.slice(0, 1) },
      { channel: 'rcs', carriers: names.slice(-1) },
    ],
  });
  return warnOfOptions(loadText(text)).filter(({ detail }) => detail.includes('messaging service'));
}

test('a messaging service for both SMS and RCS is told, in one carrier or in two', () => {
  const detail = (key: string) =>
    `is the messaging service of ${key}, too: with an RCS sender in it, Twilio sends what is meant as SMS over RCS; name one without it here (docs/rcs.md)`;
  assert.deepEqual(warned({ tw: { ...ACCOUNT, sms: { from: MG }, rcs: { from: MG } } }), [
    { key: 'carriers.tw.sms.from', detail: detail('carriers.tw.rcs.from') },
  ]);
  const two = {
    texts: { ...ACCOUNT, sms: { senders: { DE: MG, default: OTHER } } },
    rich: { ...ACCOUNT, rcs: { senders: { default: MG } } },
  };
  assert.deepEqual(warned(two), [
    { key: 'carriers.texts.sms.senders.DE', detail: detail('carriers.rich.rcs.senders.default') },
  ]);
});

test('two services are no reason', () => {
  assert.deepEqual(warned({ tw: { ...ACCOUNT, sms: { from: OTHER }, rcs: { from: MG } } }), []);
});
