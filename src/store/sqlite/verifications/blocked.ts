/** Whether an account sends nothing to a number. There is only one writer: what this finds stands until the batch ends. */
import type { DatabaseSync } from 'node:sqlite';
import type { NewVerification } from '../../../core/verification/verification.ts';
import { hotStatements } from '../sql/hot-statement.ts';
import { ownHashes, statementsByHashes } from './own-hashes.ts';

export function createBlocked(db: DatabaseSync) {
  // The hash of a number holds its account: each account has its own.
  const prepare = hotStatements(db);
  const finding = statementsByHashes((hashes) =>
    prepare(`SELECT 1 FROM blocked_number WHERE hash IN (${hashes.join(', ')})`),
  );
  return ({ test, destinationHash, earlierDestinationHashes: earlier }: NewVerification): boolean =>
    !test && finding(earlier).get(ownHashes(destinationHash, earlier)) !== undefined;
}
