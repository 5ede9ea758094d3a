/** Idempotency keys, claimed and released by statements of their own. PostgreSQL does that inside its functions. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Channel } from '../../../core/destination/channel.ts';
import type { Scope } from '../../../core/verification/scope.ts';
import {
  type ConfirmOutcome,
  type Guess,
  type Idempotency,
  type IdempotentReplay,
  type NewVerification,
  repeatsSince,
  type VerificationStore,
} from '../../../core/verification/verification.ts';
import { isKept, pastUntil } from '../../shared/kept.ts';

/**
 * The request that holds the key, and whether it was the same. What a key of the other kind asked for is another request under
 * the hash of today, and none under an earlier one, which is no longer taken.
 */
function lookUp(
  holders: StatementSync,
  { accountId, test }: Scope,
  idempotency: Idempotency,
  now: number,
  past: number,
) {
  const { keyHash: current, earlier = [] } = idempotency;
  for (const { keyHash, bodyHash } of [idempotency, ...earlier]) {
    const holder = holders.get(accountId, keyHash, repeatsSince(now, idempotency), past);
    if (holder === undefined) continue;
    const isOwn = holder.test === Number(test);
    if (isOwn || keyHash === current) return { holder, isSame: isOwn && holder.body_hash === bodyHash };
  }
  return undefined;
}

type ReplayRequest = Parameters<VerificationStore['findReplay']>[0];

/** Idempotency keys of an account, each with the request that first used it. */
export function createIdempotency(db: DatabaseSync, retentionMs: number) {
  // Deletes and inserts instead of updating, so that rowids stay in order of time for the purge.
  const forgetOld = db.prepare(
    'DELETE FROM idempotency WHERE account_id = ? AND key_hash = ? AND created_at <= ?',
  );
  const insert = db.prepare(`
    INSERT INTO idempotency (account_id, key_hash, body_hash, verification_id, created_at) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT DO NOTHING`);
  const first = db.prepare(`
    SELECT body_hash, id, test, destination_sealed, channel, attempts_remaining, confirmed_at
    FROM idempotency JOIN verification ON verification.id = verification_id
    WHERE idempotency.account_id = ? AND key_hash = ? AND idempotency.created_at > ? AND ${isKept('?')}`);
  const insertGuess = db.prepare(`
    INSERT OR REPLACE INTO idempotency (account_id, key_hash, body_hash, verification_id, created_at, attempts_remaining)
    VALUES (?, ?, ?, ?, ?, ?)`);
  const remove = db.prepare('DELETE FROM idempotency WHERE account_id = ? AND key_hash = ?');

  function find({ createdAt, idempotency, ...scope }: ReplayRequest): IdempotentReplay | undefined {
    const found = lookUp(first, scope, idempotency, createdAt, pastUntil(createdAt, retentionMs));
    if (found === undefined) return undefined;
    const { holder, isSame } = found;
    if (!isSame) return { kind: 'idempotency-mismatch' };
    return {
      kind: 'replayed',
      id: String(holder.id),
      destinationSealed: String(holder.destination_sealed),
      channel: holder.channel as Channel,
    };
  }

  return {
    find,
    /** Takes the key for this verification, or answers what the request that holds it was answered. */
    claim(v: NewVerification, idempotency: ReplayRequest['idempotency']): IdempotentReplay | undefined {
      const { keyHash, bodyHash, earlier = [] } = idempotency;
      const known = earlier.length === 0 ? undefined : find({ ...v, idempotency });
      if (known !== undefined) return known;
      forgetOld.run(v.accountId, keyHash, repeatsSince(v.createdAt, idempotency));
      if (insert.run(v.accountId, keyHash, bodyHash, v.id, v.createdAt).changes === 1) return undefined;
      const replay = find({ ...v, idempotency });
      if (replay === undefined) throw new Error('an idempotency key outlived its verification');
      return replay;
    },
    /** The result of the guess that holds this key. */
    findJudgement(guess: Guess, idempotency: Idempotency): ConfirmOutcome | undefined {
      const found = lookUp(first, guess, idempotency, guess.now, pastUntil(guess.now, retentionMs));
      if (found === undefined) return undefined;
      const { holder, isSame } = found;
      if (!isSame) return { kind: 'idempotency-mismatch' };
      if (holder.attempts_remaining !== null) {
        const attemptsRemaining = Number(holder.attempts_remaining);
        return { kind: 'replayed', first: { kind: 'mismatch', attemptsRemaining } };
      }
      const channel = holder.channel as Channel;
      const destinationSealed = String(holder.destination_sealed);
      const confirmedAt = Number(holder.confirmed_at);
      return { kind: 'replayed', first: { kind: 'confirmed', channel, destinationSealed, confirmedAt } };
    },
    /** Keeps the result of a guess that was judged. Any other changed nothing and leaves its key free. */
    keepJudgement(
      { id, accountId, now }: Guess,
      { keyHash, bodyHash }: Idempotency,
      outcome: ConfirmOutcome,
    ): void {
      if (outcome.kind !== 'confirmed' && outcome.kind !== 'mismatch') return;
      const remaining = outcome.kind === 'mismatch' ? outcome.attemptsRemaining : null;
      insertGuess.run(accountId, keyHash, bodyHash, id, now, remaining);
    },
    /** A refused request frees its key: a later try must not be answered with the refusal. */
    release(accountId: string, keyHash: string): void {
      remove.run(accountId, keyHash);
    },
  };
}
