/** File descriptors: without a free one, the system drops connections before anybody hears of them. */
import { readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Logger } from 'pino';
import type { Clock } from '../core/seams/clock.ts';
import { repeat } from '../core/seams/repeat.ts';

const EVERY_MS = 1_000;
const QUIET_MS = 60_000;
/** For the store, carriers, webhooks, mail and files. */
const BESIDE_CONNECTIONS = 1_000;
const REMEDY = 'raise the limit (ulimit -n, LimitNOFILE of systemd, ulimits of Compose)';

/** Says if this process may open less than it may need, and, until disposed of, once a minute while it can open nothing. */
export function watchDescriptors(
  clock: Pick<Clock, 'after'>,
  maxConnections: number,
  log: Logger,
): Disposable {
  const limit = readLimit();
  const needed = maxConnections + BESIDE_CONNECTIONS;
  if (limit < needed) {
    log.warn(
      { limit, needed },
      `this process may open fewer files and connections than it may need; ${REMEDY}`,
    );
  }
  return repeat(clock, EVERY_MS, tryToOpen, (error) => {
    if (!isOut(error)) return EVERY_MS;
    log.error({ limit }, `no file descriptor is left: connections are dropped unanswered; ${REMEDY}`);
    return QUIET_MS;
  });
}

/** Node raises the soft limit to the hard one at its start. Infinity where the system does not say. */
function readLimit(): number {
  try {
    const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

async function tryToOpen(): Promise<number> {
  await (await open('/dev/null')).close();
  return EVERY_MS;
}

const isOut = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE');
