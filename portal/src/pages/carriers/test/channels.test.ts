import assert from 'node:assert/strict';
import { test } from 'node:test';
import { channelsToTest } from './channels.ts';

const routes = [
  { channel: 'sms', carriers: [{ name: 'smsc' }], legs: [] },
  { channel: 'rcs', carriers: [{ name: 'google' }], legs: [{ channel: 'voice', carriers: ['calls'] }] },
] as const;

test('those come first for which a route asks the carrier, also as a further channel', () => {
  const of = (name: string) =>
    channelsToTest({ name, channels: ['sms', 'voice', 'rcs'] }, ['sms', 'voice', 'rcs'], routes);
  assert.deepEqual(of('google'), ['rcs', 'sms', 'voice']);
  assert.deepEqual(of('calls'), ['voice', 'sms', 'rcs']);
  assert.deepEqual(of('spare'), ['sms', 'voice', 'rcs']);
});

test('what nobody may ask for, or the carrier cannot send, is not offered', () => {
  assert.deepEqual(channelsToTest({ name: 'google', channels: ['rcs'] }, ['sms', 'voice'], routes), []);
  assert.deepEqual(channelsToTest({ name: 'smsc', channels: ['sms'] }, ['sms', 'voice', 'rcs'], routes), [
    'sms',
  ]);
});
