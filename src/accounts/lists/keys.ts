/** The API keys of an account as a long list: newest first, searched and filtered. */
import type { ApiKey } from '../../core/accounts/api-key.ts';
import { prefixOf } from '../../core/accounts/api-key-format.ts';
import type { Records, Value } from '../../core/sql/records.ts';
import { apiKey, COLUMNS } from '../key-row.ts';
import type { ListPlace } from '../list-place.ts';
import { contains, type LongList, type Matches, select } from './walk.ts';

export interface KeyFilter {
  /** Exactly this key. */
  readonly id?: string;
  /** A part of its name, of its prefix or of who made it; or the key itself. */
  readonly text?: string;
  /** In use are the keys that are neither revoked nor expired. */
  readonly inUse?: boolean;
  readonly test?: boolean;
}

export function keysOf(
  records: Records,
  accountId: string,
  filter: KeyFilter,
  now: number,
): LongList<ApiKey, ListPlace<number>> {
  return {
    placeOf: ({ createdAt, id }) => [createdAt, id],
    async read(after, limit) {
      const rows = await select(records, (place) => {
        const conditions = conditionsOf(place, accountId, filter, now);
        if (after !== undefined) {
          conditions.push(
            `(api_key.created_at, api_key.id) < (CAST(${place(after[0])} AS BIGINT), ${place(after[1])})`,
          );
        }
        return `SELECT ${COLUMNS} FROM api_key WHERE ${conditions.join(' AND ')}
          ORDER BY api_key.created_at DESC, api_key.id DESC LIMIT ${limit}`;
      });
      return rows.map(apiKey);
    },
  };
}

/** Those that match, but for a text. */
export async function countKeys(
  records: Records,
  accountId: string,
  filter: KeyFilter,
  now: number,
): Promise<number> {
  const [row] = await select(
    records,
    (place) =>
      `SELECT count(*) AS keys FROM api_key WHERE ${conditionsOf(place, accountId, filter, now).join(' AND ')}`,
  );
  return Number(row?.keys ?? 0);
}

function conditionsOf(
  place: (value: Value) => string,
  accountId: string,
  { id, inUse, test }: KeyFilter,
  now: number,
): string[] {
  const conditions = [`account_id = ${place(accountId)}`];
  if (id !== undefined) conditions.push(`id = ${place(id)}`);
  if (inUse !== undefined) {
    const usable = `(revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${place(now)}))`;
    conditions.push(inUse ? usable : `NOT ${usable}`);
  }
  if (test !== undefined) conditions.push(`CASE WHEN test THEN 1 ELSE 0 END = ${Number(test)}`);
  return conditions;
}

/** Undefined if every key matches. */
export function keysWith({ text }: KeyFilter): Matches<ApiKey> | undefined {
  if (text === undefined) return undefined;
  // Whoever finds a key somewhere looks for it whole. Only its visible part is known here.
  const part = text.startsWith('csk_') ? prefixOf(text) : text;
  return ({ name, prefix, createdBy }) => contains([name, prefix, createdBy ?? ''], part);
}
