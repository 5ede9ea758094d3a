/** Whether an account sends nothing to a number. There is only one writer: what this finds stands until the batch ends. */
import type { DatabaseSync } from 'node:sqlite';
import type { NewVerification } from '../../../core/verification/verification.ts';
import { hotStatements } from '../sql/hot-statement.ts';
import { OWN_HASHES, ownHashes } from './own-hashes.ts';

export function createBlocked(db: DatabaseSync) {
  // The hash of a number holds its account: each account has its own.
  const find = hotStatements(db)(`SELECT 1 FROM blocked_number WHERE hash IN (${OWN_HASHES.join(', ')})`);
  return ({ test, destinationHash, earlierDestinationHashes }: NewVerification): boolean =>
    !test && find.get(ownHashes(destinationHash, earlierDestinationHashes)) !== undefined;
}
