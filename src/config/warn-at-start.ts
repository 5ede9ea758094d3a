import type { Logger } from 'pino';
import { hasLiveKey, type KeyStore } from '../core/accounts/api-key.ts';
import type { Config } from './table/schema.ts';
import { warnOfUnbudgeted } from './unpriced.ts';
import { warnOfProxies, warnOfSimulated } from './warnings.ts';

/**
 * Warns about settings that look like success but send nothing (without a live key, as on a first start, that is fine), and
 * about hooks whose key would be refused.
 */
export async function warnAtStart(config: Config, keys: KeyStore, log: Logger, now: number): Promise<void> {
  const simulated = warnOfSimulated(config);
  const live = simulated.length > 0 && (await hasLiveKey(keys, now));
  for (const { key: option, detail } of [
    ...warnOfProxies(config),
    ...warnOfUnbudgeted(config),
    ...(live ? simulated : []),
  ]) {
    log.warn({ option }, detail);
  }
  if (Object.keys(config.hooks).length === 0) return;
  const { findUnusableHooks } = await import('../core/hooks/unusable.ts');
  for (const { name, detail } of await findUnusableHooks(config.hooks, keys, now)) {
    log.warn({ option: `hooks.${name}.key` }, detail);
  }
}
