/** Receipts in batches. A lock orders them and the settlements of other nodes; SQLite has only one writer. */

import type { Channel } from '../../../core/destination/channel.ts';
import { HOUR_MS } from '../../../core/seams/spans.ts';
import type { ReceiptOutcome, ReceiptRecord } from '../../../core/sending/delivery.ts';
import { Batcher } from '../calls/batcher.ts';
import { functionCall } from '../calls/function-call.ts';
import type { Database } from '../connection/database.ts';
import { lowestUuid } from '../verifications/verification-id.ts';

export interface AppliedRow {
  readonly call_number: number;
  readonly outcome: 'applied' | 'early' | 'duplicate';
  readonly channel: Channel | null;
  readonly country: string | null;
  readonly created_at: number | null;
  readonly requeued: boolean | null;
}

/** An advisory lock: settlements share it; keeping a receipt as early takes it exclusively. */
export const RECEIPTS_LOCK = 0x436f_756e_7402;

/** Later receipts find no attempt; carriers give up on a telephone within three days. */
const LOOK_BACK_MS = 72 * HOUR_MS;

export function createReceipts(db: Database, schema: string) {
  const applyAll = functionCall<AppliedRow>(db, schema, 'receive');

  async function run(calls: readonly ReceiptRecord[], deadline: number): Promise<ReceiptOutcome[]> {
    const receipts = calls.map(({ references, recipientTags, reason, ...facts }) => ({
      ...facts,
      spellings: references.map(storable),
      tags: recipientTags,
      reason: storable(reason),
    }));
    // An attempt is made before its code expires, at most an hour after its id.
    const oldest = Math.min(...calls.map(({ at }) => at)) - LOOK_BACK_MS - HOUR_MS;
    const rows = await applyAll(
      {
        receipts: JSON.stringify(receipts),
        oldest_id: lowestUuid(oldest),
        look_back: LOOK_BACK_MS,
        receipts_lock: RECEIPTS_LOCK,
      },
      deadline,
    );
    const byNumber = new Map(rows.map((row) => [row.call_number, row]));
    return calls.map((receipt, index) => {
      const row = byNumber.get(index + 1);
      if (row === undefined) throw new Error('the database did not answer a receipt');
      return receiptOutcomeOf(row, receipt);
    });
  }

  const batcher = new Batcher<ReceiptRecord, ReceiptOutcome>(db, { run, inFlight: 1 });
  return { receive: (receipt: ReceiptRecord) => batcher.add(receipt) };
}

export function receiptOutcomeOf(
  row: AppliedRow,
  { status, carrier, at }: Pick<ReceiptRecord, 'status' | 'carrier' | 'at'>,
): ReceiptOutcome {
  if (row.outcome !== 'applied') return { kind: row.outcome };
  const { channel, country, created_at, requeued } = row;
  if (channel === null || country === null || created_at === null || requeued === null) {
    throw new Error('an attempt outlived its verification');
  }
  return { kind: 'applied', status, carrier, channel, country, requeued, latencyMs: at - created_at };
}

/** Texts from carriers may hold what the database cannot: NUL, and half a surrogate pair. */
export function storable<T extends string | null>(text: T): T | string {
  return text === null ? text : text.replaceAll('\0', '').toWellFormed();
}
