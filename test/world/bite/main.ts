/**
 * Takes guards away, one by one in a copy of the project, and plays fresh histories to what is left, until one goes wrong:
 *
 *     node test/world/bite/main.ts
 *     node test/world/bite/main.ts --histories 300 "confirm.ts" "a budget"
 *
 * Without words it takes the guards of `mended.ts` and `chosen.ts`, and else all of the list of mutants that have one of the words in them
 * and lie in what the world plays.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import type { Mutant } from '../../mutants/mutant.ts';
import { createScratch } from '../../mutants/scratch.ts';
import { LISTED, PLAYED } from './guards.ts';
import { UNSEEN } from './unseen.ts';

/** One that hangs outside of the world's time does not hold up the others. */
const LONGEST_MS = 1_800_000;

const { values, positionals: words } = parseArgs({
  options: {
    histories: { type: 'string', default: '2000' },
    /** Longer ones find more in the same time: starting the service is much of a short history. */
    length: { type: 'string', default: '80' },
  },
  allowPositionals: true,
});
const says = ({ breaks, file }: Mutant) => words.some((word) => `${breaks} ${file}`.includes(word));
const chosen = words.length === 0 ? LISTED : PLAYED.filter(says);

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
using scratch = await createScratch();
let found = 0;
for (const mutant of chosen) {
  const said = await scratch.edited(mutant, (folder) => play(folder, '1', values.histories));
  // A process that ends in another way has shown no history.
  const [, seed, why] = /^seed (\d+): (.*)$/m.exec(said) ?? [];
  const isPlayed = seed !== undefined || /^\d+ histories, .* 0 wrong/m.test(said);
  // What goes wrong with every guard in its place shows nothing of this one.
  const isSound =
    seed === undefined || !/^seed/m.test(await scratch.intact((folder) => play(folder, seed, '1')));
  if (seed !== undefined && isSound) found += 1;
  const what = !isSound
    ? `UNSOUND ${seed}`
    : seed !== undefined
      ? `found at ${seed}`
      : isPlayed
        ? 'NOT FOUND'
        : 'NOT PLAYED';
  console.log(`${what.padEnd(14)}  ${mutant.breaks}${why === undefined ? '' : `\n                ${why}`}`);
  const reason = seed === undefined ? UNSEEN[mutant.breaks] : undefined;
  if (reason !== undefined) console.log(`                ${reason}`);
  if (!isPlayed) console.log(said.slice(0, 2_000));
}
console.log(`${found} of ${chosen.length} found`);

async function play(folder: string, seed: string, histories: string): Promise<string> {
  const which = ['--seed', seed, '--histories', histories, '--length', values.length];
  const args = ['test/world/run.ts', '--first', ...which];
  const child = spawn(process.execPath, args, { cwd: folder, timeout: LONGEST_MS });
  const [said, failed] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    child.exitCode ?? once(child, 'close'),
  ]);
  return said + failed;
}
