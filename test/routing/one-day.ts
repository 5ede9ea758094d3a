/** Daily caps begin again at midnight, UTC. */
import { setTimeout as sleep } from 'node:timers/promises';

const DAY_MS = 86_400_000;
/** Longer than a test of a cap takes. */
const TAKES_MS = 60_000;

/** In the last minute of a day it waits for the next, so that what follows is counted on one day. */
export async function onOneDay(): Promise<void> {
  const left = DAY_MS - (Date.now() % DAY_MS);
  if (left < TAKES_MS) await sleep(left);
}
