import { query, type Records } from '../core/accounts/records.ts';

/** The names of an account's keys by id, including revoked ones. */
export async function readKeyNames(
  records: Records,
  accountId: string,
): Promise<ReadonlyMap<string, string>> {
  const rows = await query(records, 'SELECT id, name FROM api_key WHERE account_id = $1', accountId);
  return new Map(rows.map(({ id, name }) => [String(id), String(name)]));
}
