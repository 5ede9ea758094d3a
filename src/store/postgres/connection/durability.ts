/** What keeps committed data when a machine fails: settings of the database, and standbys that commits wait for. */
import { SYSTEM_CLOCK } from '../../../core/seams/clock.ts';
import type { DatabaseAddress } from '../../../options/database-address.ts';
import { Database } from './database.ts';

export interface Durability {
  /** Whether a commit waits for the disk. */
  readonly fsync: boolean;
  /** Whether a half-written page can be repaired. */
  readonly fullPageWrites: boolean;
  /** How many standbys commits wait for one or more of; undefined if the role may not see it. */
  readonly synchronous: number | undefined;
  /** Whether another server could take over: several are named, or a standby is connected. */
  readonly hasOthers: boolean;
}

/**
 * Without a name in `synchronous_standby_names` no commit waits. With one, those that are connected are seen by all roles, and
 * which of them are synchronous only by some.
 */
const SYNCHRONOUS = `
  CASE
    WHEN current_setting('synchronous_standby_names') = '' OR current_setting('synchronous_commit') = 'local' THEN 0
    WHEN NOT EXISTS (SELECT FROM pg_stat_replication) THEN 0
    WHEN pg_has_role(current_user, 'pg_read_all_stats', 'USAGE')
      THEN (SELECT count(*) FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum'))
  END::integer AS synchronous`;

/** Rejects with StoreUnavailable when the database cannot be used. */
export async function countSynchronous(db: Database): Promise<number | undefined> {
  const [row] = await db.read<{ synchronous: number | null }>(
    { name: 'synchronous', text: `SELECT ${SYNCHRONOUS}` },
    [],
  );
  return row?.synchronous ?? undefined;
}

/** How many sessions are asked for at once: a pooler with several hosts goes from one to the next with each. */
const SESSIONS = 4;

/** Rejects with StoreUnavailable when the database cannot be used, or a pooler leads to a standby, too. */
export async function readDurability(address: DatabaseAddress): Promise<Durability> {
  const db = new Database(address, SYSTEM_CLOCK);
  try {
    await Promise.all(
      Array.from({ length: SESSIONS }, () =>
        db.read({ name: 'hold', text: 'SELECT FROM pg_sleep(0.1)' }, []),
      ),
    );
    const [row] = await db.read<{
      fsync: string;
      pages: string;
      synchronous: number | null;
      standbys: boolean;
    }>(
      {
        name: 'durability',
        text: `SELECT current_setting('fsync') AS fsync, current_setting('full_page_writes') AS pages,
          EXISTS (SELECT FROM pg_stat_replication) AS standbys, ${SYNCHRONOUS}`,
      },
      [],
    );
    return {
      fsync: row?.fsync !== 'off',
      fullPageWrites: row?.pages !== 'off',
      synchronous: row?.synchronous ?? undefined,
      hasOthers: address.servers.length > 1 || row?.standbys === true,
    };
  } finally {
    await db.close();
  }
}
