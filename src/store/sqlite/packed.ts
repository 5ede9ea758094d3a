/**
 * What crosses to the store's thread with every request, as lists of values: JSON that names each of them is twice as long,
 * and takes twice the time to read.
 */
import type { Settlement } from '../../core/delivery.ts';
import type { NewVerification } from '../../core/verification.ts';

export type PackedVerification = ReturnType<typeof packVerification>;
export type PackedSettlement = ReturnType<typeof packSettlement>;

export function packVerification(v: NewVerification) {
  return [
    v.id,
    v.accountId,
    v.keyId,
    v.test,
    v.channel,
    v.country,
    v.destinationHash,
    v.earlierDestinationHashes,
    v.destinationSealed,
    v.codeMac,
    v.codeSealed,
    v.guesses,
    v.createdAt,
    v.expiresAt,
    v.leaseUntil,
    v.idempotency,
    v.limits ?? null,
  ] as const;
}

export function unpackVerification([
  id,
  accountId,
  keyId,
  test,
  channel,
  country,
  destinationHash,
  earlierDestinationHashes,
  destinationSealed,
  codeMac,
  codeSealed,
  guesses,
  createdAt,
  expiresAt,
  leaseUntil,
  idempotency,
  limits,
]: PackedVerification): NewVerification {
  return {
    id,
    accountId,
    keyId,
    test,
    channel,
    country,
    destinationHash,
    earlierDestinationHashes,
    destinationSealed,
    codeMac,
    codeSealed,
    guesses,
    createdAt,
    expiresAt,
    leaseUntil,
    idempotency,
    limits: limits ?? undefined,
  };
}

export function packSettlement({ id, fence, attempts, next }: Settlement) {
  const packed = attempts.map(
    (a) =>
      [
        a.carrier,
        a.startedAt,
        a.endedAt,
        a.outcome,
        a.reference,
        a.recipientTag,
        a.reason,
        a.choice,
        a.cost,
      ] as const,
  );
  return [id, fence, next, packed] as const;
}

export function unpackSettlement([id, fence, next, packed]: PackedSettlement): Settlement {
  const attempts = packed.map(
    ([carrier, startedAt, endedAt, outcome, reference, recipientTag, reason, choice, cost]) => ({
      carrier,
      startedAt,
      endedAt,
      outcome,
      reference,
      recipientTag,
      reason,
      choice,
      cost,
    }),
  );
  return { id, fence, attempts, next };
}
