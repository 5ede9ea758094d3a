/** Receipts that wait for their message. */
import type { EarlyReceipts } from '../../../core/sending/delivery.ts';
import type { ReceiptName } from '../../../core/sending/unusable-receipts.ts';
import type { Database } from '../connection/database.ts';
import { storable } from './receipts.ts';

export function createEarlyReceipts(db: Database): EarlyReceipts {
  const find = {
    name: 'still_early',
    text: `
      SELECT name.carrier, name.reference FROM unnest($1::text[], $2::text[]) AS name (carrier, reference)
      WHERE EXISTS (
        SELECT FROM early_receipt AS early WHERE early.carrier = name.carrier AND early.reference = name.reference)`,
  };
  return {
    stillEarly: (names) =>
      db.read<ReceiptName>(find, [
        names.map(({ carrier }) => carrier),
        names.map(({ reference }) => storable(reference)),
      ]),
  };
}
