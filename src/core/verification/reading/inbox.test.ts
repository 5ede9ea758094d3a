import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Keyring } from '../../secrets/keyring.ts';
import type { SealedMessage } from '../../sending/delivery.ts';
import { type Inbox, readInbox } from './inbox.ts';

const NUMBER = '+4915112345678';
const NOW = 3_000;
const CLOCK = { now: () => NOW, steady: () => NOW };
const SECRET = 'a secret for these tests only, yes';
const LIVE = { keyId: 'key_1', accountId: 'acc_1', test: false };
const SCOPE = { accountId: 'acc_1', test: false };
const isSuccessor = async (keyId: string, earlier: string) => keyId === 'key_2' && earlier === 'key_1';

function inboxWith(...ids: string[]) {
  const asked: Parameters<Inbox['list']>[] = [];
  const inbox: Inbox = {
    async list(...args) {
      asked.push(args);
      return ids.map((id, i) => ({
        id,
        accountId: 'acc_1',
        keyId: 'key_1',
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

const deps = (inbox: Inbox, keyring = new Keyring(SECRET)) => ({
  inbox,
  keyring,
  open,
  isSuccessor,
  clock: CLOCK,
});

test('a number is for the key that asked and its successor, and for who knows it', async () => {
  const { inbox } = inboxWith('ver_1');
  const shown = async (keyId: string, address?: string) =>
    (await readInbox(deps(inbox), { ...LIVE, keyId }, address)).map(({ destination }) => destination);
  for (const keyId of ['key_1', 'key_2']) assert.deepEqual(await shown(keyId), [NUMBER]);
  assert.deepEqual(await shown('key_3'), ['+49•••••••••78']);
  assert.deepEqual(await shown('key_3', NUMBER), [NUMBER]);
});

test('messages are opened, in the order of the store, and nothing else is shown of them', async () => {
  const { inbox, asked } = inboxWith('ver_2', 'ver_1');
  const messages = await readInbox(deps(inbox), LIVE, undefined);
  const common = { destination: NUMBER, channel: 'sms', text: '482913 is your code', code: '482913' };
  assert.deepEqual(messages, [
    { id: 'ver_2', ...common, at: 2_000 },
    { id: 'ver_1', ...common, at: 1_999 },
  ]);
  assert.deepEqual(asked, [[SCOPE, null, 100, NOW]]);
});

test('a destination is asked for as both secrets would have hashed it, for this kind of key', async () => {
  const { inbox, asked } = inboxWith();
  const keyring = new Keyring(SECRET, 'the secret before that one, as long');
  for (const isTest of [false, true]) {
    const scope = { accountId: 'acc_1', test: isTest };
    await readInbox(deps(inbox, keyring), { ...LIVE, ...scope }, NUMBER);
    const { current, earlier } = keyring.destinationHash('acc_1', isTest, NUMBER);
    assert.deepEqual(asked.pop(), [scope, [current, ...earlier], 100, NOW]);
  }
});

test('of the messages to one telephone only those to the extension asked for are shown', async () => {
  const { inbox } = inboxWith('ver_1');
  const show = (address: string) => readInbox(deps(inbox), LIVE, address);
  assert.equal((await show(NUMBER)).length, 1);
  assert.deepEqual(await show(`tel:${NUMBER};ext=12`), []);
});
