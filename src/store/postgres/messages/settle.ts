/** Settles in batches; other nodes may settle the same message. SQLite settles one by one. */
import type { Clock } from '../../../core/seams/clock.ts';
import {
  ATTEMPT_FIELDS,
  type NextStep,
  type ReceiptOutcome,
  type ReceiptRecord,
  type Settlement,
} from '../../../core/sending/delivery.ts';
import { Batcher } from '../calls/batcher.ts';
import { type Arguments, functionCall, listsOf } from '../calls/function-call.ts';
import { inOrder } from '../calls/in-order.ts';
import type { Database } from '../connection/database.ts';
import { ownUuidOf } from '../verifications/verification-id.ts';
import { type AppliedRow, RECEIPTS_LOCK, receiptOutcomeOf, storable } from './receipts.ts';

interface EarlyRow extends AppliedRow {
  readonly status: ReceiptRecord['status'];
  readonly carrier: string;
  readonly received_at: number;
}

/** No client waits for a settlement, so it waits for others to join its batch. */
const SETTLE_PATIENCE_MS = 8;

const ATTEMPT_ARGUMENTS = {
  ...ATTEMPT_FIELDS,
  uuid: 'attempt_ids',
  fence: 'attempt_fences',
  position: 'positions',
  number: 'taken_numbers',
};

/** `clock` is the database's, as whoever sends goes by it. */
export function createSettle(db: Database, schema: string, clock: Pick<Clock, 'now'>) {
  const settle = functionCall<EarlyRow>(db, schema, 'settle');

  async function run(calls: readonly Settlement[], deadline: number): Promise<ReceiptOutcome[][]> {
    const outcomes = calls.map((): ReceiptOutcome[] => []);
    const { sorted, indexOf } = inOrder(calls, ({ id }) => id);
    const rows = await settle({ ...argumentsOf(sorted, clock), receipts_lock: RECEIPTS_LOCK }, deadline);
    for (const row of rows) {
      outcomes[indexOf(row.call_number)]?.push(
        receiptOutcomeOf(row, { status: row.status, carrier: row.carrier, at: row.received_at }),
      );
    }
    return outcomes;
  }

  const batcher = new Batcher<Settlement, ReceiptOutcome[]>(db, {
    run,
    inFlight: 2,
    patienceMs: SETTLE_PATIENCE_MS,
    keyOf: ({ id }) => id,
  });
  return (settlement: Settlement) => batcher.add(settlement);
}

function argumentsOf(settlements: readonly Settlement[], { now }: Pick<Clock, 'now'>): Arguments {
  const attempts = settlements.flatMap(({ id, fence, attempts }, index) => {
    const taken = attempts.findLastIndex(({ outcome }) => outcome === 'accepted' || outcome === 'delivered');
    return attempts.map((attempt, position) => ({
      ...attempt,
      uuid: ownUuidOf(id),
      fence,
      position,
      /** The settlement's number, at the attempt whose receipts may have come early. */
      number: position === taken ? index + 1 : null,
    }));
  });
  const isAny = (what: 'fallbackAt' | 'leg') => settlements.some(({ next }) => what in next);
  return {
    ids: settlements.map(({ id }) => ownUuidOf(id)),
    fences: settlements.map(({ fence }) => fence),
    steps: settlements.map(({ next }) => stepOf(next)),
    due_ats: settlements.map(({ next }) => (next.kind === 'retry' ? next.dueAt : null)),
    // Null if no message goes by another channel.
    fallback_ats: isAny('fallbackAt')
      ? settlements.map(({ next }) => (next.kind === 'submitted' ? (next.fallbackAt ?? null) : null))
      : null,
    legs: isAny('leg')
      ? settlements.map(({ next }) => (next.kind === 'retry' ? (next.leg ?? null) : null))
      : null,
    charged: settlements.map(({ charged }) => charged.join(',')),
    settled_ats: settlements.map((each) => each.attempts.at(-1)?.endedAt ?? now()),
    ...listsOf(ATTEMPT_ARGUMENTS, attempts),
    reference_texts: attempts.map(({ reference }) => storable(reference)),
    reasons: attempts.map(({ reason }) => storable(reason)),
    choices: attempts.map(({ choice }) => storable(choice)),
  };
}

/** One word for each next step. */
function stepOf(next: NextStep): string {
  if (next.kind === 'submitted' && next.failover) return 'awaiting-receipt';
  if (next.kind === 'delivered' && next.inbox) return 'inbox';
  return next.kind;
}
