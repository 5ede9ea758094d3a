/** Creates, lists and revokes API keys. Works while the service runs, which notices within a second. */
import { createKeys } from '../accounts/keys.ts';
import { COMMAND_LINE } from '../core/accounts/actor.ts';
import type { KeyStore } from '../core/accounts/api-key.ts';
import { isWellFormedKey, mintKey, prefixOf } from '../core/accounts/api-key-format.ts';
import { isName, NAME_RULE } from '../core/accounts/name.ts';
import { SYSTEM_RANDOM } from '../core/seams/random.ts';
import { readConfiguration } from './configuration.ts';
import { CommandFailure } from './failure.ts';
import { withStore } from './store/command-store.ts';
import { formatTable } from './table.ts';

const DEFAULT_ACCOUNT = 'default';

export interface CreateOptions {
  readonly name: string;
  readonly account?: string;
  readonly test?: boolean;
  /** Whether requests with it may bring codes of their own. */
  readonly customCodes?: boolean;
  /** Whether to create the store if there is none. */
  readonly init?: boolean;
}

/** Prints only the key, once it is durable. It is not shown again. */
export async function createKey({
  name,
  account = DEFAULT_ACCOUNT,
  test = false,
  customCodes = false,
  init = false,
}: CreateOptions): Promise<void> {
  checkName('--name', name);
  checkName('--account', account);
  const { key, ...minted } = mintKey(SYSTEM_RANDOM, test);
  const made = { ...minted, name, test, customCodes };
  await withKeys((keys, now) => keys.createKey(account, { ...made, createdAt: now }, COMMAND_LINE), { init });
  console.log(key);
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

function withKeys<T>(use: (keys: KeyStore, now: number) => Promise<T>, options = {}): Promise<T> {
  return withStore(readConfiguration(), (store) => use(createKeys(store), store.clock.now()), options);
}

function formatTime(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
