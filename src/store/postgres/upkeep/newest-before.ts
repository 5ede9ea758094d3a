import type { Store } from '../../port.ts';
import type { Database } from '../connection/database.ts';
import { lowestUuid } from '../verifications/verification-id.ts';

const NEWEST = {
  name: 'newest_before',
  text: `SELECT greatest(
    (SELECT created_at FROM verification WHERE id <= $1 ORDER BY id DESC LIMIT 1),
    (SELECT max(at) FROM audit_entry WHERE at <= $2)) AS at`,
};

export function createNewestBefore(db: Database): Store['newestBefore'] {
  return async (at) => {
    const [row] = await db.read<{ readonly at: number | null }>(NEWEST, [lowestUuid(at), at]);
    return row?.at ?? null;
  };
}
