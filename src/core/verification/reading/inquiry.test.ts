import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import { createManualClock } from '../../seams/clock-fixture.ts';
import { Keyring } from '../../secrets/keyring.ts';
import { sealField } from '../../secrets/sealed-field.ts';
import type { FoundVerification } from './archive.ts';
import { createInquiry, createLookUp, type InquiryDeps, type RequestRefusal } from './inquiry.ts';

const ID = 'ver_0199c3a0d5f07c3a9b2e4d6f80a1b2c3';
const NUMBER = '+4915112345678';
const NOW = Date.UTC(2026, 0, 2);
const CALLER = { keyId: 'key_1', accountId: 'acc_1', test: false };
const keyring = new Keyring('a secret for these tests only, yes');

function verification(destinationSealed: string): FoundVerification {
  return {
    verification: {
      ...{ id: ID, accountId: 'acc_1', keyId: 'key_1', test: false, channel: 'sms', country: 'DE' },
      ...{ destinationSealed, brought: false },
      ...{
        status: 'pending',
        carrier: 'smsc',
        asked: ['gateway', 'smsc'],
        guessesLeft: 3,
        endedAt: null,
        confirmedAt: null,
      },
      ...{ createdAt: NOW - 1_000, expiresAt: NOW + 1_000 },
    },
    attempts: [
      {
        ...{ carrier: 'gateway', choice: '1st of 2 in order', outcome: 'permanent', reason: 'no credit' },
        ...{
          channel: 'sms',
          cost: 0,
          startedAt: NOW - 900,
          endedAt: NOW - 800,
          receipt: null,
          reference: null,
        },
      },
      {
        ...{ carrier: 'smsc', choice: '2nd of 2 in order', outcome: 'accepted', reason: null },
        ...{ channel: 'sms', cost: 7_500, startedAt: NOW - 700, endedAt: NOW - 600, reference: 'r-1' },
        receipt: {
          ...{ status: 'delivered', reason: 'DELIVRD', at: NOW - 100 },
          ...{ price: 7_000, currency: null, network: '26201' },
        },
      },
    ],
    verdict: null,
    inQueue: false,
    detailsSealed: null,
    signals: null,
  };
}

suite('an inquiry', () => {
  let asked: unknown[][];
  let found: FoundVerification | undefined;
  let refusal: RequestRefusal | undefined;
  const store: InquiryDeps['store'] = {
    async takeRequest(...args) {
      asked.push(['takeRequest', ...args]);
      return refusal;
    },
    async findArchived(...args) {
      asked.push(['findArchived', ...args]);
      return found;
    },
  };
  const isSuccessor = async (keyId: string, earlier: string) => keyId === 'key_2' && earlier === 'key_1';
  const lookUp = createLookUp({ clock: createManualClock(NOW), store, keyring, isSuccessor });
  const inquire = createInquiry(lookUp);

  beforeEach(() => {
    asked = [];
    refusal = undefined;
    found = verification(sealField(keyring, NUMBER, ID, 'destination'));
  });

  test('tells what happened, and neither the carriers nor what they said', async () => {
    assert.deepEqual(await inquire(CALLER, ID), {
      ...{ kind: 'found', id: ID, destination: NUMBER, channel: 'sms', progress: 'delivered' },
      ...{ createdAt: NOW - 1_000, expiresAt: NOW + 1_000, endedAt: null, confirmedAt: null, guessesLeft: 3 },
      attempts: [
        { channel: 'sms', state: 'failed', startedAt: NOW - 900, changedAt: NOW - 800 },
        { channel: 'sms', state: 'delivered', startedAt: NOW - 700, changedAt: NOW - 100 },
      ],
    });
    assert.deepEqual(asked, [
      ['takeRequest', 'key_1', NOW],
      ['findArchived', { accountId: 'acc_1', test: false }, ID, NOW],
    ]);
  });

  test('that the key’s limits refuse is not looked up', async () => {
    refusal = { limit: { max: 1, windowMs: 1_000 }, retryAfterMs: 7 };
    assert.deepEqual(await inquire(CALLER, ID), { kind: 'limited', scope: 'key', ...refusal });
    assert.equal(asked.length, 1);
  });

  test('looks only for what keys of the same kind asked for', async () => {
    found = undefined;
    for (const isTest of [false, true]) {
      assert.deepEqual(await inquire({ ...CALLER, test: isTest }, ID), { kind: 'unknown' });
      assert.deepEqual(asked.pop(), ['findArchived', { accountId: 'acc_1', test: isTest }, ID, NOW]);
    }
  });

  test('the number is for the key that asked and its successor; every other key gets it masked', async () => {
    for (const [keyId, shown] of [
      ['key_1', NUMBER],
      ['key_2', NUMBER],
      ['key_3', '+49•••••••••78'],
    ] as const) {
      const answer = await inquire({ ...CALLER, keyId }, ID);
      assert.equal(answer.kind === 'found' && answer.destination, shown, keyId);
      const found = await lookUp({ ...CALLER, keyId }, ID);
      assert.equal(found.kind === 'found' && found.address, NUMBER, 'for the service itself');
    }
  });

  test('leaves out a destination whose secret is gone', async () => {
    const gone = new Keyring('another secret, which is gone by now');
    found = verification(sealField(gone, NUMBER, ID, 'destination'));
    const answer = await inquire(CALLER, ID);
    assert.deepEqual([answer.kind, 'destination' in answer && answer.destination], ['found', undefined]);
  });
});
