/** Writes what there is as a file of accounts: `accounts apply` of it changes nothing here, and makes the same elsewhere. */
import { stringify } from 'yaml';
import { listAccounts } from '../../accounts/accounts.ts';
import type { ApiKey } from '../../core/accounts/api-key.ts';
import type { Records } from '../../core/sql/records.ts';
import { formatInstant } from '../../operations/instant.ts';
import { writeSettings } from '../../portal/settings/settings.ts';
import { readConfiguration } from '../configuration.ts';
import { CommandFailure } from '../failure.ts';
import { withStore } from '../store/command-store.ts';
import { findHeld, type HeldAccount } from './held.ts';

export interface ExportOptions {
  /** Of one account only. */
  readonly account?: string;
}

export async function exportAccounts({ account }: ExportOptions): Promise<void> {
  await withStore(await readConfiguration(), async (store) => {
    process.stdout.write(await writeAccounts(store, store.clock.now(), account));
  });
}

/** By name, so that the same accounts are always the same text. Holds no secret, and neither ids nor prefixes of keys. */
export async function writeAccounts(records: Records, now: number, only?: string): Promise<string> {
  const names = (await listAccounts(records)).map(({ name }) => name);
  if (only !== undefined && !names.includes(only)) {
    throw new CommandFailure('--account must be the name of an account; `keys list` shows them');
  }
  const wanted = only === undefined ? names.toSorted() : [only];
  const accounts = new Map<string, object>();
  for (const name of wanted) {
    const held = await findHeld(records, name, now);
    if (held !== undefined) accounts.set(name, entryOf(name, held));
  }
  return stringify({ accounts }, { lineWidth: 0 });
}

function entryOf(account: string, { settings, keys, members }: HeldAccount) {
  const { name: _, ...written } = writeSettings(settings);
  const own = Object.entries(written).filter(([, value]) => !isDefault(value));
  const roles = [...members].map(([email, { role }]) => [email, role] as const);
  return {
    ...(own.length > 0 && { settings: Object.fromEntries(own) }),
    ...(keys.length > 0 && { keys: keysByName(account, keys) }),
    ...(roles.length > 0 && { members: new Map(roles.toSorted(byName)) }),
  };
}

const isDefault = (value: unknown): boolean =>
  value === null || value === false || (Array.isArray(value) && value.length === 0);

function keysByName(account: string, keys: readonly ApiKey[]): ReadonlyMap<string, object> {
  const entries = keys.map((key) => [key.name, keyEntryOf(key)] as const).toSorted(byName);
  const byNames = new Map(entries);
  if (byNames.size === entries.length) return byNames;
  const twice = entries.find(([name], index) => entries[index + 1]?.[0] === name)?.[0];
  throw new CommandFailure(
    `several keys in use of ${account} are called ${twice}, and a file tells them apart by their names; rename or revoke all but one`,
  );
}

function keyEntryOf({ test, expiresAt, restrictions, customCodes }: ApiKey) {
  const lists = Object.entries(restrictions).filter(([, values]) => values.length > 0);
  return {
    test,
    ...(expiresAt !== null && { expires_at: formatInstant(expiresAt) }),
    ...(lists.length > 0 && { restrictions: Object.fromEntries(lists) }),
    ...(customCodes && { custom_codes: true }),
  };
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  a < b ? -1 : a > b ? 1 : 0;
