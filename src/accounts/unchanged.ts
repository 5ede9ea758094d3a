/** Changes that are made only if what they change is still what it was when somebody read it. */
import type { ApiKey } from '../core/accounts/api-key.ts';
import type { Webhook } from '../core/events/endpoint.ts';
import { isReading, type Records, type Statement, type Step } from '../core/sql/records.ts';
import { lockAccount } from './standing.ts';

export type Condition = Omit<Statement, 'guard'>;

/** Nothing was done: somebody else changed it in the meantime. */
export class Outdated extends Error {
  override readonly name = 'Outdated';
}

/** The same, as long as this holds in the transaction of the change: of two changes made of what both read, one is done. */
export function provided(
  records: Records,
  accountId: string,
  condition: Condition,
  otherwise: () => Error = () => new Outdated(),
): Records {
  const before: readonly Step[] = [lockAccount(accountId), { ...condition, guard: true }];
  return {
    random: records.random,
    keysRevision: () => records.keysRevision(),
    async transact(steps, announce) {
      if (steps.every(isReading)) return records.transact(steps, announce);
      const answer = await records.transact([...before, ...steps], announce);
      if (answer.done) return { done: true, rows: answer.rows.slice(before.length) };
      if (answer.refusedBy < before.length) throw otherwise();
      return { done: false, refusedBy: answer.refusedBy - before.length };
    },
  };
}

/** `stored`: null if the account sets nothing. */
export const sameSettings = (accountId: string, name: string, stored: string | null): Condition => ({
  sql: `SELECT 1 AS unchanged FROM account LEFT JOIN account_setting ON account_id = account.id
    WHERE account.id = $1 AND name = $2 AND settings IS NOT DISTINCT FROM CAST($3 AS TEXT)`,
  args: [accountId, name, stored],
});

export type EditedKey = Pick<
  ApiKey,
  'id' | 'name' | 'expiresAt' | 'restrictions' | 'customCodes' | 'replacedBy'
>;

export const sameKey = ({ id, name, restrictions, ...key }: EditedKey): Condition => ({
  sql: `SELECT 1 AS unchanged FROM api_key WHERE id = $1 AND name = $2 AND restrictions = $3
    AND expires_at IS NOT DISTINCT FROM CAST($4 AS BIGINT) AND custom_codes = ($5 = 1)
    AND replaced_by IS NOT DISTINCT FROM CAST($6 AS TEXT)`,
  args: [id, name, JSON.stringify(restrictions), key.expiresAt, Number(key.customCodes), key.replacedBy],
});

export type EditedWebhook = Pick<Webhook, 'id' | 'url' | 'types' | 'fullNumbers'>;

export const sameWebhook = ({ id, url, types, fullNumbers }: EditedWebhook): Condition => ({
  sql: `SELECT 1 AS unchanged FROM webhook
    WHERE id = $1 AND url = $2 AND types = $3 AND full_numbers = CAST($4 AS INTEGER)`,
  args: [id, url, JSON.stringify(types), Number(fullNumbers)],
});
