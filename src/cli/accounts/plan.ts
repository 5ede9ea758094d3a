/** What a file of accounts would change: everything that it names and that is not so yet. What it does not name stays. */
import { isDeepStrictEqual } from 'node:util';
import { describeSettings } from '../../accounts/settings.ts';
import { NO_SETTINGS } from '../../core/accounts/account-settings.ts';
import type { Records } from '../../core/sql/records.ts';
import { readSettings, type SettingsRules, writeSettings } from '../../portal/settings/settings.ts';
import type { AccountEntry, AccountsFile, SettingsEntry } from './accounts-file.ts';
import { type AccountChange, NOTHING_PLANNED, type Planned, type Planning, problemsAt } from './change.ts';
import { findHeld } from './held.ts';
import { planKeys } from './plan-keys.ts';
import { planMembers } from './plan-members.ts';

/** @throws {CommandFailure} that lists every problem of the file */
export async function planAccounts(
  records: Records,
  file: AccountsFile,
  rules: SettingsRules,
  now: number,
): Promise<readonly AccountChange[]> {
  const parts: Planned[] = [];
  for (const [account, entry] of Object.entries(file.accounts))
    parts.push(planAccount({ account, held: await findHeld(records, account, now), rules, now }, entry));
  const problems = parts.flatMap((part) => part.problems);
  if (problems.length > 0) throw file.refuse(problems);
  return parts.flatMap(({ changes }) => changes);
}

function planAccount(planning: Planning, { settings, keys = {}, members = {} }: AccountEntry): Planned {
  const { account, held } = planning;
  const made: AccountChange[] =
    held === undefined ? [{ kind: 'account', account, words: 'new account' }] : [];
  const parts = [
    settings === undefined ? NOTHING_PLANNED : planSettings(planning, settings),
    planKeys(planning, keys),
    planMembers(planning, members),
  ];
  return {
    changes: [...made, ...parts.flatMap(({ changes }) => changes)],
    problems: parts.flatMap(({ problems }) => problems),
  };
}

function planSettings({ account, held, rules }: Planning, entry: SettingsEntry): Planned {
  const before = held?.settings ?? { name: account, settings: NO_SETTINGS };
  const stored = before.settings;
  const read = readSettings(
    { accountId: held?.id ?? '', stored },
    { ...writeSettings(before), ...entry },
    rules,
  );
  const at = ['accounts', account, 'settings'];
  if (!read.ok) return { changes: [], problems: problemsAt(at, read.errors) };
  const wanted = { name: account, settings: read.settings };
  // Earlier versions left out what they did not know.
  if (isDeepStrictEqual(writeSettings(before), writeSettings(wanted))) return NOTHING_PLANNED;
  const words = `settings: ${describeSettings(before, wanted)}`;
  const change = { kind: 'settings', account, wanted, words } as const;
  return { changes: [{ ...change, stored: held?.storedSettings ?? null }], problems: [] };
}
