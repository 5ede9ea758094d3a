/** Verifications for tests of what keeps them. */
import { randomUUID, randomUUIDv7 } from 'node:crypto';
import type { NewVerification } from './verification.ts';

export const VALID_FOR = 600_000;
export const LEASE = 15_000;

/** One that is in the queue. */
type QueuedVerification = NewVerification & { readonly leaseUntil: number };

/** A verification that shares nothing with any other, except for what is given. */
export function newVerification(wanted: Partial<NewVerification> = {}): QueuedVerification {
  const createdAt = wanted.createdAt ?? Date.now();
  const id = wanted.id ?? idAt(createdAt);
  return {
    id,
    accountId: unique('acc'),
    keyId: unique('key'),
    test: false,
    channel: 'sms',
    country: 'DE',
    destinationHash: unique('hash'),
    earlierDestinationHashes: [],
    destinationSealed: `destination of ${id}`,
    codeMac: macOf(id, 'right'),
    codeSealed: `code of ${id}`,
    guesses: 5,
    createdAt,
    expiresAt: createdAt + VALID_FOR,
    idempotency: null,
    clientNetwork: null,
    detailsSealed: null,
    brought: false,
    signals: null,
    ...wanted,
    leaseUntil: wanted.leaseUntil ?? createdAt + LEASE,
  };
}

/** Ids as the service makes them: a UUIDv7 in hex, whose first twelve digits are its time. */
function idAt(time: number): string {
  return `ver_${time.toString(16).padStart(12, '0')}${randomUUIDv7().replaceAll('-', '').slice(12)}`;
}

export function unique(kind: string): string {
  return `${kind}_${randomUUID()}`;
}

/** Stands for the MAC of a code: bound to the verification, always of the same length. */
export function macOf(id: string, code: 'right' | 'wrong' | 'other'): string {
  return `${code} ${id}`;
}
