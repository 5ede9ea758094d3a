import { query, type Records } from '../core/sql/records.ts';
import { NO_KEY } from '../core/verification/carrier-test.ts';

/** The names of an account's keys by id, including revoked ones, and of what no key asked for. */
export async function readKeyNames(
  records: Records,
  accountId: string,
): Promise<ReadonlyMap<string, string>> {
  const rows = await query(records, 'SELECT id, name FROM api_key WHERE account_id = $1', accountId);
  const keys = rows.map(({ id, name }) => [String(id), String(name)] as const);
  return new Map([...keys, [NO_KEY, 'No key: tests of carriers']]);
}
