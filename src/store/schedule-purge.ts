import type { Logger } from 'pino';
import { describeError } from '../core/errors/error-facts.ts';
import { repeat } from '../core/seams/repeat.ts';
import type { Store } from './port.ts';

const EVERY_MS = 60_000;
/** Between two batches while there is more, so that the purge takes turns with requests. */
const PAUSE_MS = 50;

/** Purges the store regularly, in small batches, until disposed of. */
export function schedulePurge(
  store: Pick<Store, 'clock' | 'purge'>,
  aged: () => Promise<number>,
  log: Logger,
): Disposable {
  const purge = async () => {
    const old = await aged();
    return (await store.purge(store.clock.now(), old)) ? PAUSE_MS : EVERY_MS;
  };
  return repeat(store.clock, EVERY_MS, purge, (error) => {
    log.warn({ error: describeError(error) }, 'purge postponed');
    return EVERY_MS;
  });
}
