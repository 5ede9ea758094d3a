import { type AccountSettings, type AccountSettingsStore, NO_SETTINGS } from '../../core/account-settings.ts';
import { query, type Records, type Step } from '../../core/records.ts';

/** An account that sets nothing has no row, and costs its requests nothing. */
export function createSettings(records: Records): AccountSettingsStore {
  return {
    async read(accountId) {
      const [row] = await query(
        records,
        'SELECT name, settings FROM account LEFT JOIN account_setting ON account_id = account.id WHERE account.id = $1',
        accountId,
      );
      if (row === undefined) return undefined;
      const settings = row.settings === null ? NO_SETTINGS : JSON.parse(String(row.settings));
      return { name: String(row.name), settings };
    },

    async write(accountId, name, settings, record) {
      const rename: Step = {
        sql: 'UPDATE account SET name = $2 WHERE id = $1 RETURNING id',
        args: [accountId, name],
        guard: true,
      };
      const answer = await records.transact([rename, keep(accountId, settings), record], true);
      return answer.done ? 'written' : 'taken';
    },
  };
}

function keep(accountId: string, settings: AccountSettings): Step {
  const setsNothing = Object.values(settings).every(
    (value) => value === null || (Array.isArray(value) && value.length === 0),
  );
  if (setsNothing) return { sql: 'DELETE FROM account_setting WHERE account_id = $1', args: [accountId] };
  return {
    sql: `INSERT INTO account_setting (account_id, settings) VALUES ($1, $2)
      ON CONFLICT (account_id) DO UPDATE SET settings = excluded.settings`,
    args: [accountId, JSON.stringify(settings)],
  };
}
