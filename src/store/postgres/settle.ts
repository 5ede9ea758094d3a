import type { NextStep, ReceiptOutcome, ReceiptRecord, Settlement } from '../../core/delivery.ts';
import { Batcher } from './batcher.ts';
import type { Database } from './database.ts';
import { type AppliedRow, outcomeOf, RECEIPTS_LOCK, storable } from './receipts.ts';
import { ownUuidOf } from './verification-id.ts';

interface EarlyRow extends AppliedRow {
  readonly status: ReceiptRecord['status'];
  readonly carrier: string;
  readonly received_at: number;
}

/** Nobody waits for a settlement with a connection open, so it waits for company. */
const SETTLE_PATIENCE_MS = 8;

export function createSettle(db: Database, schema: string) {
  const parameters = Array.from({ length: 18 }, (_, i) => `$${i + 1}`).join(', ');
  const statement = {
    name: 'settle',
    text: `SELECT * FROM ${schema}.settle(${parameters}, ${RECEIPTS_LOCK})`,
  };

  async function run(calls: readonly Settlement[], deadline: number): Promise<ReceiptOutcome[][]> {
    const outcomes = calls.map((): ReceiptOutcome[] => []);
    // In order of their ids, so that batches of two nodes lock in one order.
    const order = [...calls.keys()].sort((a, b) => ((calls[a]?.id ?? '') < (calls[b]?.id ?? '') ? -1 : 1));
    const sorted = order.flatMap((index) => calls[index] ?? []);
    const rows = await db.query<EarlyRow>(statement, columnsOf(sorted), deadline);
    for (const row of rows) {
      const index = order[row.call_number - 1] ?? 0;
      outcomes[index]?.push(
        outcomeOf(row, { status: row.status, carrier: row.carrier, at: row.received_at }),
      );
    }
    return outcomes;
  }

  const batcher = new Batcher<Settlement, ReceiptOutcome[]>({
    run,
    inFlight: 2,
    patienceMs: SETTLE_PATIENCE_MS,
    keyOf: ({ id }) => id,
  });
  return (settlement: Settlement) => batcher.add(settlement);
}

function columnsOf(settlements: readonly Settlement[]): unknown[] {
  const attempts = settlements.flatMap(({ id, fence, attempts }, index) => {
    const taken = attempts.findLastIndex(({ outcome }) => outcome === 'accepted' || outcome === 'delivered');
    return attempts.map((attempt, position) => ({
      uuid: ownUuidOf(id),
      fence,
      position,
      attempt,
      /** Of the settlement, for the attempt whose receipts may have come early. */
      number: position === taken ? index + 1 : null,
    }));
  });
  return [
    settlements.map(({ id }) => ownUuidOf(id)),
    settlements.map(({ fence }) => fence),
    settlements.map(({ next }) => stepOf(next)),
    settlements.map(({ next }) => (next.kind === 'retry' ? next.dueAt : null)),
    settlements.map((each) => each.attempts.at(-1)?.endedAt ?? Date.now()),
    attempts.map(({ uuid }) => uuid),
    attempts.map(({ fence }) => fence),
    attempts.map(({ position }) => position),
    attempts.map(({ attempt }) => attempt.carrier),
    attempts.map(({ attempt }) => attempt.startedAt),
    attempts.map(({ attempt }) => attempt.endedAt),
    attempts.map(({ attempt }) => attempt.outcome),
    attempts.map(({ attempt }) => storable(attempt.reference)),
    attempts.map(({ attempt }) => attempt.recipientTag),
    attempts.map(({ attempt }) => storable(attempt.reason)),
    attempts.map(({ attempt }) => storable(attempt.choice)),
    attempts.map(({ attempt }) => attempt.cost),
    attempts.map(({ number }) => number),
  ];
}

/** The steps of the queue by one word each. */
function stepOf(next: NextStep): string {
  if (next.kind === 'submitted' && next.failover) return 'awaiting-receipt';
  if (next.kind === 'delivered' && next.inbox) return 'inbox';
  return next.kind;
}
