import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Attempt, Settlement } from '../../../core/sending/delivery.ts';
import type { NewVerification } from '../../../core/verification/verification.ts';
import { packSettlement, packVerification, unpackSettlement, unpackVerification } from './packed.ts';

/** As it arrives in the thread. */
const crossed = <T>(value: T): T => JSON.parse(JSON.stringify(value));

test('a verification arrives as it left, each value in its place', () => {
  const full: NewVerification = {
    id: 'id',
    accountId: 'account',
    keyId: 'key',
    test: true,
    channel: 'voice',
    country: 'BR',
    destinationHash: 'hash',
    earlierDestinationHashes: ['previous hash', 'older hash'],
    destinationSealed: 'destination',
    codeMac: 'mac',
    codeSealed: 'code',
    guesses: 5,
    createdAt: 1,
    expiresAt: 2,
    leaseUntil: 3,
    idempotency: { keyHash: 'key hash', bodyHash: 'body hash' },
    limits: [{ max: 4, windowMs: 5 }],
    clientNetwork: 'network',
    detailsSealed: 'details',
    brought: true,
    signals: '{}',
    byNumber: true,
    endsEarlier: true,
    reservation: {
      charges: [
        {
          kind: 'account',
          subject: 'account',
          per: 'hour',
          startsAt: 0,
          endsAt: 6,
          money: 7,
          messages: null,
        },
      ],
      prices: { carrier: 8 },
    },
  };
  const bare: NewVerification = {
    ...full,
    clientNetwork: null,
    detailsSealed: null,
    brought: false,
    signals: null,
    earlierDestinationHashes: [],
    idempotency: null,
    limits: undefined,
    reservation: undefined,
  };
  for (const v of [full, bare]) {
    assert.deepStrictEqual(unpackVerification(crossed(packVerification(v))), v);
  }
});

test('a settlement arrives as it left, each value in its place', () => {
  const attempt: Attempt = {
    carrier: 'carrier',
    channel: 'voice',
    startedAt: 1,
    endedAt: 2,
    outcome: 'accepted',
    reference: 'reference',
    recipientTag: 'tag',
    reason: 'reason',
    choice: 'choice',
    cost: 3,
  };
  const refused: Attempt = { ...attempt, outcome: 'permanent', reference: null, recipientTag: null };
  const next: Settlement['next'] = { kind: 'retry', dueAt: 4 };
  for (const attempts of [[], [attempt, refused]]) {
    const settlement: Settlement = { id: 'id', fence: 5, attempts, next, charged: ['c'] };
    assert.deepStrictEqual(unpackSettlement(crossed(packSettlement(settlement))), settlement);
  }
});
