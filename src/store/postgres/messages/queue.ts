/** The queue, which several nodes claim from. SQLite's has one process, and needs no locks. */
import { withPredecessors } from '../../../core/accounts/succession.ts';
import type { Reservation } from '../../../core/budgets/budget.ts';
import type { AwaitedAttempt, Delivery, DeliveryQueue, QueueAge } from '../../../core/sending/delivery.ts';
import { sealedMessage } from '../../shared/sealed-message.ts';
import { functionCall } from '../calls/function-call.ts';
import type { Database } from '../connection/database.ts';
import { idOf, ownUuidOf, timeOf, uuidOf } from '../verifications/verification-id.ts';

interface ClaimedRow extends Record<string, unknown> {
  readonly id: string;
  /** All its columns. */
  readonly verification_row: Readonly<Record<string, unknown>>;
  readonly fence: number;
  readonly rounds: number;
  readonly leg: number;
  readonly spent_carriers: readonly string[];
  /** Null if there is none. */
  readonly awaited: readonly AwaitedAttempt[] | null;
  readonly reservation: Reservation | null;
  /** JSON; null if its key was never rotated. */
  readonly predecessors: string | null;
}

interface MoreRow {
  readonly outcome: 'reserved' | 'no-room' | 'not wanted';
  readonly full_number: number | null;
}

/** Expired rows dropped per claim: enough to keep up, and few enough not to hold up others. */
const EXPIRED_AT_ONCE = 500;

export function createQueue(
  db: Database,
  schema: string,
): Pick<DeliveryQueue, 'claim' | 'renew' | 'reserveMore' | 'depth'> & QueueAge {
  const lease = functionCall<ClaimedRow>(db, schema, 'claim');
  const reserveMore = functionCall<MoreRow>(db, schema, 'reserve_more');
  // Not of what was settled meanwhile and waits for a receipt: it would be sent again.
  const renew = {
    name: 'renew',
    text: `
      UPDATE delivery SET due_at = least($3, expires_at - 1)
      FROM unnest($1::uuid[], $2::integer[]) AS held (id, fence)
      WHERE verification_id = held.id AND delivery.fence = held.fence AND due_at < expires_at
      RETURNING verification_id`,
  };
  const depth = {
    name: 'depth',
    text: 'SELECT count(*) AS deliveries FROM delivery WHERE due_at < expires_at',
  };
  // Ids are in order of time, and have it.
  const oldest = {
    name: 'oldest_waiting',
    text: 'SELECT verification_id FROM delivery WHERE due_at < expires_at ORDER BY verification_id LIMIT 1',
  };

  return {
    async claim(now, leaseUntil, limit): Promise<Delivery[]> {
      const rows = await lease({
        now,
        lease_until: leaseUntil,
        wanted: limit,
        expired_at_once: EXPIRED_AT_ONCE,
      });
      return rows.map((row) => ({
        ...sealedMessage(idOf(row.id), { ...row.verification_row, ...row }),
        keyId: String(row.verification_row.key_id),
        ...withPredecessors(row.predecessors),
        fence: row.fence,
        rounds: row.rounds,
        leg: row.leg,
        spentCarriers: row.spent_carriers,
        awaited: row.awaited ?? [],
        reservation: row.reservation,
      }));
    },

    async renew(held, leaseUntil): Promise<Set<string>> {
      const ours = held
        .flatMap(({ id, fence }) => ({ uuid: uuidOf(id) ?? [], fence }))
        .filter((each): each is { uuid: string; fence: number } => typeof each.uuid === 'string')
        .sort((a, b) => (a.uuid < b.uuid ? -1 : 1));
      if (ours.length === 0) return new Set();
      const rows = await db.query<{ verification_id: string }>(renew, [
        ours.map(({ uuid }) => uuid),
        ours.map(({ fence }) => fence),
        leaseUntil,
      ]);
      return new Set(rows.map(({ verification_id }) => idOf(verification_id)));
    },

    async reserveMore({ id, fence, more }) {
      const { charges, prices } = more;
      const [row] = await reserveMore({
        ...{ wanted_id: ownUuidOf(id), held_fence: fence },
        ...{ more_charges: JSON.stringify(charges), more_prices: JSON.stringify(prices) },
      });
      if (row?.outcome !== 'no-room') return row?.outcome ?? 'not wanted';
      if (row.full_number === null) throw new Error('a message found no room, yet no budget is used up');
      return { full: row.full_number - 1 };
    },

    async depth(): Promise<number> {
      const [row] = await db.read<{ deliveries: number }>(depth, []);
      return row?.deliveries ?? 0;
    },

    async oldestWaiting(): Promise<number | undefined> {
      const [row] = await db.read<{ verification_id: string }>(oldest, []);
      return row && timeOf(row.verification_id.replaceAll('-', ''));
    },
  };
}
