/** Receipts that wait for their message; read beside the writer. */
import type { DatabaseSync } from 'node:sqlite';
import type { ReceiptName } from '../../../core/sending/unusable-receipts.ts';

export function createEarlyReceipts(db: DatabaseSync) {
  const find = db.prepare('SELECT 1 FROM early_receipt WHERE carrier = ? AND reference = ? LIMIT 1');
  return {
    stillEarly: (names: readonly ReceiptName[]): ReceiptName[] =>
      names.filter(({ carrier, reference }) => find.get(carrier, reference) !== undefined),
  };
}
