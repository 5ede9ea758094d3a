import type { Logger } from 'pino';
import { describeError } from '../core/error-facts.ts';
import type { Store } from './port.ts';

const EVERY_MS = 60_000;
/** Between two batches while there is more, so that the purge takes turns with requests. */
const PAUSE_MS = 50;

/** Purges the store regularly, in small batches, until disposed of. */
export function schedulePurge(store: Store, log: Logger): Disposable {
  let timer: NodeJS.Timeout | undefined;
  const run = async () => {
    let more = false;
    try {
      more = await store.purge(store.clock.now());
    } catch (error) {
      log.warn({ error: describeError(error) }, 'purge postponed');
    }
    if (timer !== undefined) timer = setTimeout(run, more ? PAUSE_MS : EVERY_MS);
  };
  timer = setTimeout(run, EVERY_MS);
  return {
    [Symbol.dispose]() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
