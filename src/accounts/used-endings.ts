/** The ends of numbers that missed calls come from, each taken for one code at a time, as keyed hashes: they are the codes themselves. */
import type { Keyring } from '../core/secrets/keyring.ts';
import type { Records } from '../core/sql/records.ts';
import type { EndingStore } from '../core/verification/endings.ts';

const isTaken = (now: string) => `used_ending.ends_at > CAST(${now} AS BIGINT)`;

export const createEndingStore = (
  records: Pick<Records, 'transact'>,
  keyring: Pick<Keyring, 'endingHash'>,
): EndingStore => ({
  // Of two nodes that take the same ending at once, the second waits for the row of the first and then sees it. Under another secret it
  // is another row, which is looked for.
  async take(ending, { accountId, now, until, most, mostOfAccount }) {
    const { current, earlier } = keyring.endingHash(ending);
    const answer = await records.transact([
      {
        sql: `INSERT INTO used_ending (hash, ends_at, account_id)
          SELECT $1, CAST($2 AS BIGINT), CAST($6 AS TEXT)
          WHERE (SELECT count(*) < CAST($4 AS BIGINT)
                AND count(*) FILTER (WHERE account_id = $6) < CAST($7 AS BIGINT)
              FROM used_ending WHERE ${isTaken('$3')})
            AND NOT EXISTS (SELECT 1 FROM used_ending WHERE hash = $5 AND ${isTaken('$3')})
          ON CONFLICT (hash) DO UPDATE SET ends_at = excluded.ends_at, account_id = excluded.account_id
            WHERE NOT ${isTaken('$3')}
          RETURNING hash`,
        args: [current, until, now, most, earlier[0] ?? null, accountId, mostOfAccount],
        guard: true,
      },
    ]);
    return answer.done;
  },
  async giveBack(ending, until) {
    const { current } = keyring.endingHash(ending);
    const sql = 'DELETE FROM used_ending WHERE hash = $1 AND ends_at = $2';
    await records.transact([{ sql, args: [current, until] }]);
  },
});
