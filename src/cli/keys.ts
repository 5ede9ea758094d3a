/** Creates, lists and revokes API keys. Works while the service runs, which notices within a second. */

import { findAccountId } from '../accounts/accounts.ts';
import { createKeys } from '../accounts/keys.ts';
import { COMMAND_LINE } from '../core/accounts/actor.ts';
import type { ApiKey, KeyStore, NewApiKey } from '../core/accounts/api-key.ts';
import { isWellFormedKey, mintKey, prefixOf } from '../core/accounts/api-key-format.ts';
import { DEFAULT_ACCOUNT } from '../core/accounts/default-account.ts';
import { isName, NAME_RULE } from '../core/accounts/name.ts';
import { SYSTEM_RANDOM } from '../core/seams/random.ts';
import type { Records } from '../core/sql/records.ts';
import { readConfiguration } from './configuration.ts';
import { CommandFailure } from './failure.ts';
import { withStore } from './store/command-store.ts';
import { formatTable } from './table.ts';

export interface CreateOptions {
  readonly name: string;
  readonly account?: string;
  readonly test?: boolean;
  /** Whether requests with it may bring codes of their own. */
  readonly customCodes?: boolean;
  /** Whether to create the store if there is none. */
  readonly init?: boolean;
}

/** Prints only the key, once it is durable. It is not shown again. Whose it is goes to standard error. */
export async function createKey({
  name,
  account,
  test = false,
  customCodes = false,
  init = false,
}: CreateOptions): Promise<void> {
  checkName('--name', name);
  if (account !== undefined) checkName('--account', account);
  const { key, ...minted } = mintKey(SYSTEM_RANDOM, test);
  await withStore(
    await readConfiguration(),
    async (store) => {
      const wanted = { ...minted, name, test, customCodes, createdAt: store.clock.now() };
      const { accountId } = await addKey(store, account, wanted);
      console.log(key);
      console.error(`of the account ${account ?? DEFAULT_ACCOUNT} (${accountId})`);
    },
    { init },
  );
}

/** Without a name, no account is made beside others: somebody may have renamed the one that was meant. */
async function addKey(records: Records, account: string | undefined, wanted: NewApiKey): Promise<ApiKey> {
  const keys = createKeys(records);
  if (account !== undefined) return keys.createKey(account, wanted, COMMAND_LINE);
  const made =
    (await findAccountId(records, DEFAULT_ACCOUNT)) === undefined
      ? await keys.createFirstKey(DEFAULT_ACCOUNT, wanted, COMMAND_LINE)
      : await keys.createKey(DEFAULT_ACCOUNT, wanted, COMMAND_LINE);
  if (made !== undefined) return made;
  throw new CommandFailure(
    `there is no account ${DEFAULT_ACCOUNT}; say whose key it is with --account, which makes an account if the name is new`,
  );
}

/** For `bootstrap.key`: the store learns of it when a service starts with it. */
export function generateKey({ test = false }: { readonly test?: boolean }): void {
  console.log(mintKey(SYSTEM_RANDOM, test).key);
}

function checkName(option: string, name: string): void {
  if (isName(name)) return;
  throw new CommandFailure(`${option} must be ${NAME_RULE.charAt(0).toLowerCase()}${NAME_RULE.slice(1, -1)}`);
}

export async function listKeys({ json = false }: { readonly json?: boolean }): Promise<void> {
  const found = await withKeys((keys) => keys.listKeys());
  const shown = found.map(({ id, prefix, name, accountName, test, customCodes, ...times }) => ({
    id,
    prefix,
    name,
    account: accountName,
    test,
    custom_codes: customCodes,
    created_at: formatTime(times.createdAt),
    last_used_at: formatTime(times.lastUsedAt),
    expires_at: formatTime(times.expiresAt),
    revoked_at: formatTime(times.revokedAt),
  }));
  if (json) console.log(JSON.stringify(shown, null, 2));
  else if (shown.length > 0) console.log(formatTable(shown));
  else console.error('no keys yet; create one with `keys create --name NAME`');
}

/** Also takes the whole key, for one that was found where it should not be. */
export async function revokeKey(key: string): Promise<void> {
  const idOrPrefix = isWellFormedKey(key) ? prefixOf(key) : key;
  const revoked = await withKeys((keys, now) => keys.revokeKey(idOrPrefix, now, COMMAND_LINE));
  if (revoked === undefined) {
    throw new CommandFailure('there is no such key; `keys list` shows all ids and prefixes');
  }
  console.log(`revoked ${revoked.prefix} (${revoked.id})`);
}

async function withKeys<T>(use: (keys: KeyStore, now: number) => Promise<T>): Promise<T> {
  return withStore(await readConfiguration(), (store) => use(createKeys(store), store.clock.now()));
}

function formatTime(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
