/** The settings of accounts. An account that sets nothing has no row, and costs its requests nothing. */
import { isDeepStrictEqual } from 'node:util';
import { type AccountSettings, NO_SETTINGS } from '../core/accounts/account-settings.ts';
import type { Actor } from '../core/accounts/actor.ts';
import { formatBudget } from '../core/budgets/notation.ts';
import { refusedBy } from '../core/lookups/facts.ts';
import { query, type Records, type Step } from '../core/sql/records.ts';
import { formatLimit, type Limit } from '../core/verification/limits.ts';
import { auditStep } from './audit.ts';

export interface NamedSettings {
  /** The account's name. */
  readonly name: string;
  readonly settings: AccountSettings;
}

/** Undefined if there is no such account. */
export async function findSettings(records: Records, accountId: string): Promise<NamedSettings | undefined> {
  const found = await findStored(records, accountId);
  return found && { name: found.name, settings: readStored(found.stored) };
}

/** As they are stored: what is changed must not have changed meanwhile. */
export async function findStored(
  records: Records,
  accountId: string,
): Promise<{ readonly name: string; readonly stored: string | null } | undefined> {
  const [row] = await query(
    records,
    'SELECT name, settings FROM account LEFT JOIN account_setting ON account_id = account.id WHERE account.id = $1',
    accountId,
  );
  return row && { name: String(row.name), stored: row.settings as string | null };
}

/** An account that sets nothing has none stored. */
export const readStored = (stored: string | null): AccountSettings =>
  stored === null ? NO_SETTINGS : JSON.parse(stored);

/** `taken` if another account has that name. The earlier settings are read only for the audit entry. */
export async function changeSettings(
  records: Records,
  accountId: string,
  wanted: NamedSettings,
  by: Actor,
  now: number,
): Promise<'changed' | 'taken' | 'unknown'> {
  const before = await findSettings(records, accountId);
  if (before === undefined) return 'unknown';
  // Not by the words of the entry: a setting that these leave out would be lost.
  if (isDeepStrictEqual(before, wanted)) return 'changed';
  const { name, settings } = wanted;
  const rename: Step = {
    sql: 'UPDATE account SET name = $2 WHERE id = $1 RETURNING id',
    args: [accountId, name],
    guard: true,
  };
  const detail = describeSettings(before, wanted);
  const entry = auditStep(records, {
    ...{ accountId, by, action: 'settings.changed', subject: name, detail, at: now },
  });
  const answer = await records.transact([rename, keep(accountId, settings), entry], true);
  return answer.done ? 'changed' : 'taken';
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

/** What an account refuses by look-ups, for people. */
function describeRule(rule: AccountSettings['refuse']): string {
  return rule ? refusedBy(rule, 'inShort').join(', ') : '';
}

/** What a change sets, for the audit log. */
export function describeSettings(before: NamedSettings, after: NamedSettings): string {
  const old = wordsOf(before);
  return Object.entries(wordsOf(after))
    .filter(([field, value]) => old[field] !== value)
    .map(([field, value]) => `${field}: ${value || 'default'}`)
    .join('; ');
}

function wordsOf({ name, settings }: NamedSettings): Readonly<Record<string, string>> {
  const limits = (list: readonly Limit[]) => list.map(formatLimit).join(', ');
  return {
    name,
    brand: settings.brand ?? '',
    locale: settings.locale ?? '',
    'code length': String(settings.codeLength ?? ''),
    'sends per destination': limits(settings.sendsPerDestination),
    'failed guesses per destination': limits(settings.failedGuessesPerDestination),
    countries: settings.countries.join(', '),
    budgets: (settings.budgets ?? []).map(formatBudget).join(', '),
    guard: settings.guard ?? '',
    'Twilio Verify': settings.twilio === true ? 'on' : '',
    CAMARA: settings.camara === true ? 'on' : '',
    refuse: describeRule(settings.refuse),
  };
}
