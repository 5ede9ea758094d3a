/** Issues verifications in batches, each one call of a function. SQLite issues them one by one in a transaction of many calls. */
import pg from 'pg';
import { NEARLY_USED } from '../../../core/budgets/budget.ts';
import type { Channel } from '../../../core/destination/channel.ts';
import { type Limit, type Limits, waitWithin } from '../../../core/verification/limits.ts';
import {
  type IssueOutcome,
  type NewVerification,
  VERIFICATION_FIELDS,
} from '../../../core/verification/verification.ts';
import { joinHashes } from '../../shared/hash-list.ts';
import { Batcher } from '../calls/batcher.ts';
import { functionCall, listsOf } from '../calls/function-call.ts';
import type { Database } from '../connection/database.ts';
import { partitionDayOf, repairPartitions } from '../schema/partitions.ts';
import { limitsGroup } from './account-limits.ts';
import { joinIdempotency } from './idempotency.ts';
import { idOf, ownUuidOf, timeOf } from './verification-id.ts';

/** Of a call that was not issued, or filled a budget. */
interface NotIssued {
  readonly call_number: number;
  readonly outcome:
    | 'replayed'
    | 'idempotency-mismatch'
    | 'blocked'
    | 'key'
    | 'destination'
    | 'exhausted'
    | 'nearly-used';
  readonly limit_number: number | null;
  readonly retry_after: number | null;
  readonly first_id: string | null;
  readonly first_destination: string | null;
  readonly first_channel: Channel | null;
}

const ISSUED: IssueOutcome = { kind: 'issued' };
/** More than one only where a backup keeps the first from reaching each session. */
const MOST_REPAIRS = 3;

export function createIssue(db: Database, schema: string, { requestsPerKey, sendsPerDestination }: Limits) {
  const issueAll = functionCall<NotIssued>(db, schema, 'issue');
  const admitOne = functionCall<NotIssued>(db, schema, 'admit');

  async function run(
    calls: readonly NewVerification[],
    deadline: number,
    price?: number,
  ): Promise<IssueOutcome[]> {
    const sends = calls[0]?.limits ?? sendsPerDestination;
    const args = {
      ...columnsOf(calls),
      ...listsOf({ max: 'request_maxes', windowMs: 'request_windows' }, requestsPerKey),
      ...listsOf({ max: 'send_maxes', windowMs: 'send_windows' }, sends),
      nearly_used: NEARLY_USED,
    };
    const rows = await withPartitions(calls, deadline, () =>
      price === undefined ? issueAll(args, deadline) : admitOne({ ...args, price }, deadline),
    );
    const outcomes = calls.map((): IssueOutcome => ISSUED);
    for (const row of rows) {
      const call = row.call_number - 1;
      outcomes[call] = outcomeOf(row, sends, outcomes[call]);
    }
    return outcomes;
  }

  /** Partitions are made days ahead, but one can be missing after a long pause or with a wrong clock. */
  async function withPartitions<T>(
    calls: readonly NewVerification[],
    deadline: number,
    run: () => Promise<T>,
  ): Promise<T> {
    for (let repairs = 0; ; repairs++) {
      try {
        return await run();
      } catch (error) {
        if (repairs === MOST_REPAIRS || !isMissingPartition(error)) throw error;
        const days = calls.map(({ id }) => partitionDayOf(timeOf(ownUuidOf(id))));
        const patienceMs = deadline - db.machine.steady();
        await db.session((client) => repairPartitions(client, days), { patienceMs });
      }
    }
  }

  /** A call may have several rows of `nearly-used`. */
  function outcomeOf(row: NotIssued, sends: readonly Limit[], sofar = ISSUED): IssueOutcome {
    switch (row.outcome) {
      case 'replayed':
        if (row.first_id === null || row.first_destination === null || row.first_channel === null) {
          throw new Error('an idempotency key outlived its verification');
        }
        return {
          kind: 'replayed',
          id: idOf(row.first_id),
          destinationSealed: row.first_destination,
          channel: row.first_channel,
        };
      case 'idempotency-mismatch':
      case 'blocked':
        return { kind: row.outcome };
      case 'exhausted':
        if (row.limit_number === null || row.retry_after === null) {
          throw new Error('a verification was refused, yet no budget is used up');
        }
        return { kind: 'exhausted', charge: row.limit_number - 1, retryAfterMs: row.retry_after };
      case 'nearly-used': {
        const earlier = sofar.kind === 'issued' ? (sofar.nearlyUsed ?? []) : [];
        return { kind: 'issued', nearlyUsed: [...earlier, (row.limit_number ?? 0) - 1] };
      }
      case 'key':
      case 'destination': {
        const list = row.outcome === 'key' ? requestsPerKey : sends;
        const limit = list[(row.limit_number ?? 0) - 1];
        if (limit === undefined || row.retry_after === null) {
          throw new Error('a verification was refused, yet no limit is reached');
        }
        const retryAfterMs = waitWithin(limit, row.retry_after);
        return { kind: 'limited', scope: row.outcome, limit, retryAfterMs };
      }
    }
  }

  const batcher = new Batcher<NewVerification, IssueOutcome>(db, {
    run,
    inFlight: 2,
    groupOf: limitsGroup,
    // Of two that end each other's codes, neither would find the other in one call.
    keyOf: ({ accountId, idempotency, endsEarlier, destinationHash }) =>
      endsEarlier ? destinationHash : idempotency && `${accountId} ${idempotency.keyHash}`,
  });
  return {
    issue: (verification: NewVerification) => batcher.add(verification),
    async admit(verification: NewVerification, price: number): Promise<IssueOutcome> {
      const [outcome = ISSUED] = await run([verification], db.machine.steady() + db.patienceMs, price);
      return outcome;
    },
  };
}

const { limits: _, ...COLUMNS } = VERIFICATION_FIELDS;

function columnsOf(calls: readonly NewVerification[]) {
  const hasEarlier = calls.some(({ earlierDestinationHashes }) => earlierDestinationHashes.length > 0);
  const hasReservations = calls.some(({ reservation }) => reservation !== undefined);
  const hasByNumber = calls.some(({ byNumber }) => byNumber === true);
  const hasEnding = calls.some(({ endsEarlier }) => endsEarlier === true);
  const hasWindows = calls.some(({ idempotency }) => idempotency?.windowMs !== undefined);
  const hasKeys = calls.some(({ idempotency }) => idempotency !== null);
  const hasDetails = calls.some(({ detailsSealed }) => detailsSealed !== null);
  const hasBrought = calls.some(({ brought }) => brought);
  const hasSignals = calls.some(({ signals }) => signals !== null);
  const lists = calls.map(({ idempotency }) => joinIdempotency(idempotency));
  return {
    ...listsOf(COLUMNS, calls),
    ids: calls.map(({ id }) => ownUuidOf(id)),
    // Null if no call has one, so that the function skips what would use them.
    earlier_hashes: hasEarlier
      ? calls.map(({ earlierDestinationHashes }) => joinHashes(earlierDestinationHashes))
      : null,
    details: hasDetails ? calls.map(({ detailsSealed }) => detailsSealed) : null,
    brought_codes: hasBrought ? calls.map(({ brought }) => brought) : null,
    all_signals: hasSignals ? calls.map(({ signals }) => signals) : null,
    reservations: hasReservations
      ? calls.map(({ reservation }) => (reservation === undefined ? null : JSON.stringify(reservation)))
      : null,
    by_number: hasByNumber ? calls.map(({ byNumber = false }) => byNumber) : null,
    ending: hasEnding ? calls.map(({ endsEarlier = false }) => endsEarlier) : null,
    idempotency_keys: hasKeys ? lists.map(({ keys }) => keys) : null,
    body_hashes: hasKeys ? lists.map(({ bodies }) => bodies) : null,
    idempotency_windows: hasWindows ? calls.map(({ idempotency }) => idempotency?.windowMs ?? null) : null,
  };
}

function isMissingPartition(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '23514' && error.routine === 'ExecFindPartition';
}
