/** The channels that the element knows: those of the service and of the client, in the order that the page names. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHANNELS as OF_THE_CLIENT } from '../../client/src/wire.ts';
import { APPS, CHANNELS, type Channel, channelsIn, insteadOf } from '../../component/src/channel.ts';
import {
  BASIC_CHANNELS,
  CHANNEL_NAMES,
  isMissedCall,
  CHANNELS as TABLE,
} from '../../src/core/destination/channel.ts';

test('the service, its client and the element know the same channels, but for missed calls', () => {
  const worded = CHANNEL_NAMES.filter((name) => !isMissedCall(name));
  assert.deepEqual([OF_THE_CLIENT, CHANNELS], [CHANNEL_NAMES, worded]);
  const apps = worded.filter((name) => !BASIC_CHANNELS.some((basic) => basic === name));
  assert.deepEqual(APPS, Object.fromEntries(apps.map((name) => [name, TABLE[name].label])));
});

test('a page names them in its own order, each once; SMS if it names none', () => {
  assert.deepEqual(channelsIn(' whatsapp  fax sms\nwhatsapp '), ['whatsapp', 'sms']);
  for (const none of [null, '', 'fax', 'constructor']) assert.deepEqual(channelsIn(none), ['sms']);
});

test('the others are offered in turn, and a single one in place of nothing', () => {
  assert.equal(insteadOf('sms', ['sms']), 'sms');
  assert.deepEqual(
    [insteadOf('sms', ['sms', 'voice']), insteadOf('voice', ['sms', 'voice'])],
    ['voice', 'sms'],
  );
  const turns: Channel[] = ['sms'];
  for (let n = 0; n < 5; n++) turns.push(insteadOf(turns.at(-1) ?? 'sms', CHANNELS));
  assert.deepEqual(turns, ['sms', 'voice', 'whatsapp', 'telegram', 'rcs', 'sms']);
  assert.equal(insteadOf('telegram', ['sms', 'voice']), 'sms', 'the page no longer names it');
});
