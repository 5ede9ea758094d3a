import type { Logger } from 'pino';
import { hasLiveKey, type KeyStore } from '../core/api-key.ts';
import type { Config } from './schema.ts';
import { warnOfProxies, warnOfSimulated } from './warnings.ts';

/** Of what looks like success: what a first start has without a live key is as it should be. */
export async function warnAtStart(config: Config, keys: KeyStore, log: Logger): Promise<void> {
  const simulated = warnOfSimulated(config);
  const live = simulated.length > 0 && (await hasLiveKey(keys, Date.now()));
  for (const { key: option, detail } of [...warnOfProxies(config), ...(live ? simulated : [])]) {
    log.warn({ option }, detail);
  }
}
