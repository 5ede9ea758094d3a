/** Settings of a database that lose committed data when its machine fails. */
import type { DatabaseAddress } from '../../../options/database-address.ts';
import { Database } from './database.ts';

export interface Durability {
  /** Whether a commit waits for the disk. */
  readonly fsync: boolean;
  /** Whether a half-written page can be repaired. */
  readonly fullPageWrites: boolean;
}

/** Rejects with StoreUnavailable when the database cannot be used. */
export async function readDurability(address: DatabaseAddress): Promise<Durability> {
  const db = new Database(address);
  try {
    const [row] = await db.read<{ fsync: string; pages: string }>(
      {
        name: 'durability',
        text: "SELECT current_setting('fsync') AS fsync, current_setting('full_page_writes') AS pages",
      },
      [],
    );
    return { fsync: row?.fsync !== 'off', fullPageWrites: row?.pages !== 'off' };
  } finally {
    await db.close();
  }
}
