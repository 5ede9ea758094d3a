/** What both stores share when an account says what a verification was. */
import type { VerdictChange } from '../../core/guarding/verdict.ts';
import type { Value } from '../../core/sql/records.ts';

/** SQL that writes what is given over what was found. */
export const CHANGE_VERDICT = `UPDATE verification
  SET verdict = CAST($3 AS TEXT), verdict_at = CAST($4 AS BIGINT), verdict_weight = CAST($5 AS INTEGER)
  WHERE id = $1 AND account_id = $2
    AND verdict IS NOT DISTINCT FROM CAST($6 AS TEXT) AND verdict_at IS NOT DISTINCT FROM CAST($7 AS BIGINT)
    AND verdict_weight IS NOT DISTINCT FROM CAST($8 AS INTEGER)
    AND CASE WHEN confirmed_at IS NULL THEN 0 ELSE 1 END = CAST($9 AS INTEGER)
  RETURNING 1 AS changed`;

/** Its values; each store has the id in a form of its own. */
export const verdictValues = (
  id: string,
  { accountId, found, isConfirmed, given }: VerdictChange,
): readonly Value[] => [
  ...[id, accountId],
  ...[given?.verdict ?? null, given?.at ?? null, given?.weight ?? null],
  ...[found?.verdict ?? null, found?.at ?? null, found?.weight ?? null],
  Number(isConfirmed),
];
