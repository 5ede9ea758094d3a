import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Keyring } from '../../secrets/keyring.ts';
import type { SealedMessage } from '../../sending/delivery.ts';
import { type Inbox, readInbox } from './inbox.ts';

const NUMBER = '+4915112345678';
const SECRET = 'a secret for these tests only, yes';
const LIVE = { accountId: 'acc_1', test: false };

function inboxWith(...ids: string[]) {
  const asked: Parameters<Inbox['list']>[] = [];
  const inbox: Inbox = {
    async list(...args) {
      asked.push(args);
      return ids.map((id, i) => ({
        id,
        accountId: 'acc_1',
        test: true,
        channel: 'sms',
        country: 'DE',
        destinationSealed: 'sealed',
        codeSealed: 'sealed',
        detailsSealed: null,
        createdAt: 1_000,
        expiresAt: 601_000,
        settings: null,
        at: 2_000 - i,
      }));
    },
  };
  return { inbox, asked };
}

const open = ({ id, accountId, test: isTest, channel, country, expiresAt }: SealedMessage) => ({
  id,
  accountId,
  test: isTest,
  channel,
  destination: { address: NUMBER, kind: 'e164' as const, country },
  code: '482913',
  text: '482913 is your code',
  locale: 'en',
  expiresAt,
});

test('messages are opened, in the order of the store, and nothing else is shown of them', async () => {
  const { inbox, asked } = inboxWith('ver_2', 'ver_1');
  const messages = await readInbox(inbox, new Keyring(SECRET), open, LIVE, undefined);
  const common = { destination: NUMBER, channel: 'sms', text: '482913 is your code', code: '482913' };
  assert.deepEqual(messages, [
    { id: 'ver_2', ...common, at: 2_000 },
    { id: 'ver_1', ...common, at: 1_999 },
  ]);
  assert.deepEqual(asked, [[LIVE, null, 100]]);
});

test('a destination is asked for as both secrets would have hashed it, for this kind of key', async () => {
  const { inbox, asked } = inboxWith();
  const keyring = new Keyring(SECRET, 'the secret before that one, as long');
  for (const isTest of [false, true]) {
    const scope = { accountId: 'acc_1', test: isTest };
    await readInbox(inbox, keyring, open, scope, NUMBER);
    const { current, earlier } = keyring.destinationHash('acc_1', isTest, NUMBER);
    assert.deepEqual(asked.pop(), [scope, [current, ...earlier], 100]);
  }
});

test('of the messages to one telephone only those to the extension asked for are shown', async () => {
  const { inbox } = inboxWith('ver_1');
  const show = (address: string) => readInbox(inbox, new Keyring(SECRET), open, LIVE, address);
  assert.equal((await show(NUMBER)).length, 1);
  assert.deepEqual(await show(`tel:${NUMBER};ext=12`), []);
});
