/** `npm run world`: plays histories for some hours, or a number of them, and prints what went wrong, cut down. */

import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { playSeed, replay } from './check.ts';
import { formatHistory, parseHistory } from './history.ts';
import { shrink } from './shrink.ts';

const HOUR_MS = 3_600_000;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    histories: { type: 'string' },
    length: { type: 'string', default: '40' },
    hours: { type: 'string' },
    /** sqlite or postgres, and how many nodes share it. */
    store: { type: 'string', default: 'sqlite' },
    nodes: { type: 'string', default: '1' },
    /** The file of a history to play in place of seeds. */
    history: { type: 'string' },
    /** Prints all that happened, and cuts nothing down. */
    raw: { type: 'boolean', default: false },
    /** Ends with the first history that goes wrong, and cuts nothing down. */
    first: { type: 'boolean', default: false },
  },
});
const kept = values.history === undefined ? undefined : parseHistory(readFileSync(values.history, 'utf8'));
const isShared = (kept?.world.store ?? values.store) === 'postgres';
const shared = {
  ...(isShared && ({ store: 'postgres' } as const)),
  ...(values.nodes !== '1' && { nodes: Number(values.nodes) }),
};
const [first, length] = [Number(values.seed), Number(values.length)];
const most =
  values.histories !== undefined
    ? Number(values.histories)
    : values.hours === undefined
      ? 1
      : Number.POSITIVE_INFINITY;
const until =
  performance.now() +
  (values.hours === undefined ? Number.POSITIVE_INFINITY : Number(values.hours) * HOUR_MS);

let [histories, steps, passed, wrong, ms] = [0, 0, 0, 0, 0];
for (let seed = first; seed < first + most && performance.now() < until; seed++) {
  const before = process.cpuUsage();
  const played = await (kept === undefined ? playSeed(seed, length, shared) : replay(kept));
  const { user, system } = process.cpuUsage(before);
  ms += (user + system) / 1_000;
  histories += 1;
  steps += played.history.groups.length;
  passed += played.passed;
  if (values.raw) for (const each of played.happenings) console.log(JSON.stringify(each));
  if (played.wrong === undefined) continue;
  wrong += 1;
  const history = values.raw || values.first ? played.history : await shrink(played.history);
  console.log(`seed ${seed}: ${played.wrong}\n${formatHistory(history)}\n`);
  if (values.first) break;
}
if (isShared) await (await import('./machine/postgres/databases.ts')).endDatabases();
const days = passed / 24 / HOUR_MS;
console.log(
  `${histories} histories, ${steps} steps, ${days.toFixed(0)} days, ${wrong} wrong; ` +
    `${(ms / steps).toFixed(2)} ms a step, ${((days * 1_000) / ms).toFixed(0)} days a second of processor`,
);
process.exitCode = wrong === 0 ? 0 : 1;
