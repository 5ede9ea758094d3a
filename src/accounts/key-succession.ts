/** Which key took another's place. */
import { readPredecessors } from '../core/accounts/succession.ts';
import { query, type Records } from '../core/sql/records.ts';
import type { IsSuccessor } from '../core/verification/reading/shown-number.ts';

const SUCCESSORS = `
  WITH RECURSIVE successor (id) AS (
    SELECT replaced_by FROM api_key WHERE id = $1
    UNION SELECT api_key.replaced_by FROM api_key JOIN successor ON api_key.id = successor.id)
  SELECT id FROM successor WHERE id = $2`;

export const createIsSuccessor =
  (records: Records): IsSuccessor =>
  async (keyId, earlier) =>
    (await query(records, SUCCESSORS, earlier, keyId)).length > 0;

/** The ids of the keys that one came from by rotation, the first one first. */
export async function findPredecessors(
  records: Records,
  keyId: string,
): Promise<readonly string[] | undefined> {
  const [row] = await query(records, 'SELECT predecessors FROM api_key WHERE id = $1', keyId);
  return readPredecessors(row?.predecessors);
}
