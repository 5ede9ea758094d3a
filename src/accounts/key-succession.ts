/** Which key took another's place. */
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
