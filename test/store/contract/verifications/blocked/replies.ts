/** Who wrote to a number last, and what people send back. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listBlockedNumbers } from '../../../../../src/accounts/blocking/blocked-numbers.ts';
import { createOptOuts } from '../../../../../src/accounts/blocking/opt-outs.ts';
import { SYSTEM_CLOCK } from '../../../../../src/core/seams/clock.ts';
import { Keyring } from '../../../../../src/core/secrets/keyring.ts';
import { DAY, HOUR, issueOne, SUBMITTED, settlement, unique } from '../../rig.ts';
import { type BlockedRig, FIRST, NUMBER, SECOND } from './rig.ts';

export function describeReplies(rig: BlockedRig): void {
  const { now, keyring, addAccount, verificationOf, kindOf, entries } = rig;
  const clock = { ...SYSTEM_CLOCK, now: () => now };

  const send = async (
    { carrier = 'smsc', outcome = 'accepted', at = now, tookMs = 1 } = {},
    { account = rig.accountId, tag = keyring.recipientTags(NUMBER)[0] } = {},
  ) => {
    const v = await issueOne(rig.store, { accountId: account, createdAt: at });
    const attempt = { carrier, reference: unique('r'), recipientTag: tag, endedAt: at + tookMs };
    const taken = outcome === 'accepted' || outcome === 'delivered' ? outcome : 'permanent';
    await rig.store.settle(settlement(v, SUBMITTED, [{ ...attempt, outcome: taken }]));
  };
  const sender = (carrier = 'smsc', recipientTags: readonly string[] = keyring.recipientTags(NUMBER)) =>
    rig.store.findSender({ carrier, recipientTags, now });

  test('the sender is the account whose message that carrier accepted last', async () => {
    assert.equal(await sender(), undefined);
    const other = await addAccount();
    await send({ at: now - DAY }, { account: other });
    assert.equal(await sender(), other);
    await send({ at: now - HOUR });
    assert.equal(await sender(), rig.accountId);
    await send({ carrier: 'twilio' }, { account: other });
    await send({ outcome: 'refused' }, { account: other });
    await send({}, { account: other, tag: 'another number' });
    assert.deepEqual(
      [await sender(), await sender('twilio'), await sender('none')],
      [rig.accountId, other, undefined],
    );
    await send({ outcome: 'delivered', at: now + 1 }, { account: other });
    assert.equal(await sender(), other, 'delivered at once');
    const midnight = Math.ceil((now + HOUR) / DAY) * DAY;
    await send({ at: midnight - 1 });
    assert.equal(await sender(), rig.accountId, 'accepted after midnight');
  });

  test('the sender is who was accepted last, though another code was asked for later', async () => {
    const [other, third] = [await addAccount(), await addAccount()];
    await send({ at: now - HOUR, tookMs: HOUR - 3 }, { account: other });
    await send({ at: now - 5 });
    assert.equal(await sender(), other);
    await send({ at: now - 2 * HOUR }, { account: third });
    assert.equal(await sender(), other);
  });

  test('of messages under two secrets the last one counts', async () => {
    const other = await addAccount();
    const tags = new Keyring(SECOND, FIRST).recipientTags(NUMBER);
    await send({ at: now - 1 }, { account: other, tag: tags[0] });
    await send();
    const senders = [tags, tags.toReversed()].map((each) => sender('smsc', each));
    assert.deepEqual(await Promise.all(senders), [rig.accountId, rig.accountId]);
  });

  test('a message from before a rotation has a sender, too', async () => {
    await send();
    assert.equal(await sender('smsc', new Keyring(SECOND, FIRST).recipientTags(NUMBER)), rig.accountId);
    assert.equal(await sender('smsc', new Keyring(SECOND).recipientTags(NUMBER)), undefined);
  });

  test('STOP puts a number on the list of its sender, START takes it off; floods write one entry an hour', async () => {
    await send();
    const effects: string[] = [];
    const logged: unknown[] = [];
    let at = now;
    const hear = createOptOuts({
      store: rig.store,
      keyring,
      clock: { ...SYSTEM_CLOCK, now: () => at },
      count: (carrier, effect) => effects.push(`${carrier} ${effect}`),
      log: (...line) => logged.push(line),
    });
    const say = (text: string, from = NUMBER, carrier = 'smsc') => hear({ carrier, from, text });
    await say('Hello?');
    await say('STOP', '+4915112345670');
    await say('STOP', NUMBER, 'other');
    assert.equal(await kindOf(verificationOf()), 'issued');
    await Promise.all([say('Stop'), say('stop')]);
    assert.equal(await kindOf(verificationOf()), 'blocked');
    await say('start');
    assert.equal(await kindOf(verificationOf()), 'issued');
    assert.deepEqual(effects.sort(), [
      'other unknown-sender',
      'smsc none',
      'smsc started',
      'smsc stopped',
      'smsc unchanged',
      'smsc unknown-sender',
    ]);
    assert.equal(logged.length, 2);
    assert.ok(!JSON.stringify(logged).includes('15112345'));
    for (let i = 0; i < 20; i++) await say(i % 2 === 0 ? 'STOP' : 'START');
    assert.deepEqual(await entries(), [
      ['a recipient', 'number.started', 'by smsc', '11 times within an hour'],
      ['a recipient', 'number.stopped', 'by smsc', '11 times within an hour'],
    ]);
    at += HOUR + 1;
    await say('STOP');
    await send({ carrier: 'twilio' });
    for (const word of ['START', 'STOP']) await say(word, NUMBER, 'twilio');
    const words = (await entries()).map(([, action, subject, detail]) => `${action} ${subject} ${detail}`);
    assert.deepEqual(words.sort(), [
      'number.started by smsc 11 times within an hour',
      'number.started by twilio ',
      'number.stopped by smsc ',
      'number.stopped by smsc 11 times within an hour',
      'number.stopped by twilio ',
    ]);
    const { numbers } = await listBlockedNumbers({ records: rig.store, keyring }, rig.accountId);
    assert.deepEqual(
      numbers.map(({ source }) => source),
      ['recipient'],
    );
  });

  test('STOP is obeyed by who was written to before a rotation', async () => {
    await send();
    const during = new Keyring(SECOND, FIRST);
    const effects: string[] = [];
    const hear = createOptOuts({
      ...{ store: rig.store, keyring: during, clock, log: () => {} },
      count: (_carrier, effect) => effects.push(effect),
    });
    await hear({ carrier: 'smsc', from: NUMBER, text: 'STOP' });
    assert.deepEqual(effects, ['stopped']);
    assert.equal(await kindOf(verificationOf({}, { ring: during })), 'blocked');
  });

  test('STOP from another spelling of the number lists the number that is sent to', async () => {
    const [brazilian, mexican] = ['+5592981723241', '+525512345678'];
    for (const number of [brazilian, mexican]) await send({}, { tag: keyring.recipientTags(number)[0] });
    const effects: string[] = [];
    const hear = createOptOuts({
      ...{ store: rig.store, keyring, clock, log: () => {} },
      count: (_carrier, effect) => effects.push(effect),
    });
    const say = (text: string, from: string, orFrom?: string) =>
      hear({ carrier: 'smsc', from, orFrom, text });
    await say('STOP', '+559281723241', brazilian);
    assert.equal(await kindOf(verificationOf({}, { number: brazilian })), 'blocked');
    await say('START', '+559281723241', brazilian);
    assert.equal(await kindOf(verificationOf({}, { number: brazilian })), 'issued');
    await say('STOP', mexican, '+5215512345678');
    assert.equal(await kindOf(verificationOf({}, { number: mexican })), 'blocked', 'as it came');
    await say('STOP', '+4915112345670', '+4915112345671');
    assert.deepEqual(effects, ['stopped', 'started', 'stopped', 'unknown-sender']);
  });

  test('STOP of somebody whose number the carrier does not tell is counted, and logged once a minute', async () => {
    const effects: string[] = [];
    const logged: unknown[] = [];
    const hear = createOptOuts({
      ...{ store: rig.store, keyring, clock },
      count: (carrier, effect) => effects.push(`${carrier} ${effect}`),
      log: (...line) => logged.push(line),
    });
    const say = (text: string, carrier = 'meta') => hear({ carrier, from: undefined, text });
    for (const text of ['STOP', 'Hello?', 'stop']) await say(text);
    await say('STOP', 'other');
    assert.deepEqual(effects, [
      'meta unknown-sender',
      'meta none',
      'meta unknown-sender',
      'other unknown-sender',
    ]);
    const message = 'a keyword came from somebody whose number the carrier does not tell';
    assert.deepEqual(logged, [
      ['warn', message, { carrier: 'meta', keyword: 'stop' }],
      ['warn', message, { carrier: 'other', keyword: 'stop' }],
    ]);
  });

  test('what is said to one account is in the log of no other', async () => {
    const hear = createOptOuts({ store: rig.store, keyring, clock, count: () => {}, log: () => {} });
    const [other, number] = [await addAccount(), '+4915112345679'];
    await send();
    await send({}, { account: other, tag: keyring.recipientTags(number)[0] });
    for (const from of [NUMBER, number]) await hear({ carrier: 'smsc', from, text: 'STOP' });
    for (const each of [rig.accountId, other])
      assert.deepEqual(await entries(each), [['a recipient', 'number.stopped', 'by smsc', '']]);
  });

  test('a flood is refused before it is kept waiting, so that the carrier sends it again', async () => {
    await send();
    const hear = createOptOuts({ store: rig.store, keyring, clock, count: () => {}, log: () => {} });
    const flood = Array.from({ length: 150 }, () => hear({ carrier: 'smsc', from: NUMBER, text: 'STOP' }));
    const results = await Promise.allSettled(flood);
    assert.equal(results.filter(({ status }) => status === 'rejected').length, 50);
    assert.equal(
      (await listBlockedNumbers({ records: rig.store, keyring }, rig.accountId)).numbers.length,
      1,
    );
    await hear({ carrier: 'smsc', from: NUMBER, text: 'START' });
    assert.equal(await kindOf(verificationOf()), 'issued', 'and then others are heard again');
  });
}
