import type { Logger } from 'pino';
import { findSettings } from '../accounts/settings.ts';
import { findUnaskedRules, type UnaskedRule } from '../accounts/unasked-rules.ts';
import { hasLiveKey, type KeyStore } from '../core/accounts/api-key.ts';
import { StoreFailure } from '../core/errors/store-failure.ts';
import type { Lookups } from '../core/lookups/lookup.ts';
import type { Records } from '../core/sql/records.ts';
import type { Config } from './table/schema.ts';
import { warnOfUnbudgeted } from './unpriced.ts';
import { warnOfProxies, warnOfSimulated } from './warnings.ts';

/**
 * Warns about settings that look like success but send nothing (without a live key, as on a first start, that is fine), about
 * accounts that there are none of, about hooks whose key would be refused, and about rules of accounts that no look-up serves.
 */
export async function warnAtStart(
  config: Config,
  {
    keys,
    records,
    lookups,
  }: { readonly keys: KeyStore; readonly records: Records; readonly lookups: Lookups | undefined },
  log: Logger,
  now: number,
): Promise<void> {
  const simulated = warnOfSimulated(config);
  const live = simulated.length > 0 && (await hasLiveKey(keys, now));
  for (const { key: option, detail } of [
    ...warnOfProxies(config),
    ...warnOfUnbudgeted(config),
    ...(live ? simulated : []),
  ]) {
    log.warn({ option }, detail);
  }
  for (const id of Object.keys(config.accounts)) {
    if ((await findSettings(records, id)) === undefined)
      log.warn({ option: `accounts.${id}` }, 'no account has this id, so this has no effect');
  }
  for (const { account, detail } of await findUnaskedRules(records, lookups?.all ?? []).catch(noneIfAway))
    log.warn({ option: 'lookups', account }, `an account ${detail}`);
  if (Object.keys(config.hooks).length === 0) return;
  const { findUnusableHooks } = await import('../core/hooks/unusable.ts');
  for (const { name, detail } of await findUnusableHooks(config.hooks, keys, now)) {
    log.warn({ option: `hooks.${name}.key` }, detail);
  }
}

/** A start does not fail for a warning: doctor and the next reload say it, too. */
function noneIfAway(error: unknown): readonly UnaskedRule[] {
  if (error instanceof StoreFailure) return [];
  throw error;
}
