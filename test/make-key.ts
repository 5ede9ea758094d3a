/** What the command line does to create a key, without a process of its own. */

import { createKeys } from '../src/accounts/keys.ts';
import { loadConfig } from '../src/config/fixture.ts';
import { COMMAND_LINE } from '../src/core/accounts/actor.ts';
import { mintKey } from '../src/core/accounts/api-key-format.ts';
import { SYSTEM_RANDOM } from '../src/core/seams/random.ts';
import { openStore } from '../src/store/open.ts';

export interface KeyOptions {
  /** By default `default`. */
  readonly account?: string;
  readonly test?: boolean;
}

/** Makes it in the store of a service that has these environment variables. */
export async function makeKey(
  env: Readonly<Record<string, string | undefined>>,
  name: string,
  { account = 'default', test = false }: KeyOptions,
): Promise<string> {
  const { key, ...minted } = mintKey(SYSTEM_RANDOM, test);
  const store = await openStore(loadConfig(env), { exclusive: false });
  try {
    const made = { ...minted, name, test, createdAt: Date.now() };
    await createKeys(store).createKey(account, made, COMMAND_LINE);
    return key;
  } finally {
    await store.close();
  }
}
