/** The first key, if it was made before the store: nobody then has to read it from the output of the first start. */
import type { Logger } from 'pino';
import { THE_SERVICE } from '../core/accounts/actor.ts';
import type { KeyStore } from '../core/accounts/api-key.ts';
import { hashApiKey, isTestKey, registerKey } from '../core/accounts/api-key-format.ts';
import { DEFAULT_ACCOUNT } from '../core/accounts/default-account.ts';
import type { Random } from '../core/seams/random.ts';

const OPTION = 'bootstrap.key';

/**
 * Makes `token`, if there is one, a key of a store that never had one. After that only the store counts: a key that was revoked stays revoked.
 */
export async function ensurePresetKey(
  token: string | undefined,
  keys: Pick<KeyStore, 'findKey' | 'createFirstKey'>,
  log: Logger,
  now: number,
  random: Random,
): Promise<void> {
  if (token === undefined) return;
  const hash = hashApiKey(token);
  if ((await keys.findKey(hash)) === undefined) {
    const { key: _, ...registered } = registerKey(random, token);
    const wanted = { ...registered, name: 'preset', test: isTestKey(token), createdAt: now };
    const made = await keys.createFirstKey(DEFAULT_ACCOUNT, wanted, THE_SERVICE, `from ${OPTION}`);
    if (made !== undefined) log.info({ keyId: made.id }, `the first key was made from ${OPTION}`);
  }
  // Another node may have made it in the meantime.
  const found = await keys.findKey(hash);
  if (found === undefined) log.warn(UNUSED);
  else if (found.revokedAt !== null) log.warn({ keyId: found.id }, REVOKED);
}

const UNUSED = `${OPTION} is not used, because the store already had a key or an account; make a key with \`keys create\``;
const REVOKED = `${OPTION} was revoked, and stays so; make another key with \`keys create\`, and remove the option`;
