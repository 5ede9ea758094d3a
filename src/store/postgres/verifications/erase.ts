/** Erases verifications, by a function. SQLite keeps the rows of sends that may still count; here they are counted apart. */
import type { Erasure } from '../../../core/verification/erasure.ts';
import { ownUuidOf } from './verification-id.ts';

/** Makes the call that erases, for a transaction with other steps. */
export function createErase(schema: string) {
  const statement = { name: 'erase', text: `SELECT ${schema}.erase($1, $2, $3) AS erased` };
  return ({ ids, destinationHashes, receiptIds }: Erasure) => ({
    statement,
    values: [ids.map(ownUuidOf).sort(), destinationHashes, receiptIds],
  });
}
