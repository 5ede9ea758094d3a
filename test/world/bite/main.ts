/**
 * Takes guards away, one by one in a copy of the project, and plays fresh histories to what is left, until one goes wrong:
 *
 *     node test/world/bite/main.ts
 *     node test/world/bite/main.ts --histories 300 "confirm.ts" "a budget"
 *     node test/world/bite/main.ts --list channels
 *     node test/world/bite/main.ts --list shared
 *     node test/world/bite/main.ts --list verdicts
 *     node test/world/bite/main.ts --list lookups
 *     node test/world/bite/main.ts --list invented
 *     node test/world/bite/main.ts --list again
 *     node test/world/bite/main.ts --list third
 *     node test/world/bite/main.ts --list fourth
 *     node test/world/bite/main.ts --list fifth
 *
 * Without words it takes the guards of `mended.ts` and `chosen.ts`, and else all of the list of mutants that have one of the words in them
 * and lie in what the world plays. `--list verdicts`, `--list lookups` and `--list channels` are what keeps one door, `--list shared` plays
 * two nodes that share a database without the guards of `shared.ts`, and
 * `--list invented`, `--list again`, `--list third`, `--list fourth` and `--list fifth` take those of `invented.ts`,
 * `invented-again.ts`, `invented-third.ts`, `invented-fourth.ts` and `invented-fifth.ts`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import type { Mutant } from '../../mutants/mutant.ts';
import { createScratch } from '../../mutants/scratch.ts';
import { LISTS } from './guards.ts';
import { UNSEEN } from './unseen.ts';

/** One that hangs outside of the world's time does not hold up the others. */
const LONGEST_MS = 1_800_000;

const { values, positionals: words } = parseArgs({
  options: {
    histories: { type: 'string', default: '2000' },
    /** Longer ones find more in the same time: starting the service is much of a short history. */
    length: { type: 'string', default: '80' },
    list: { type: 'string', default: 'guards' },
  },
  allowPositionals: true,
});
const list = LISTS[values.list];
if (list === undefined) throw new Error(`no list is called ${values.list}`);
const says = ({ breaks, file }: Mutant) => words.some((word) => `${breaks} ${file}`.includes(word));
const chosen = words.length === 0 ? list.all : list.among.filter(says);

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
using scratch = await createScratch();
let found = 0;
/** Seeds that go wrong with every guard in its place. */
const unsound = new Set<number>();
for (const mutant of chosen) {
  const { said, wrong } = await search(mutant);
  if (wrong !== undefined) found += 1;
  // A process that ends in another way has shown no history.
  const isPlayed = wrong !== undefined || /^\d+ histories, .* 0 wrong/m.test(said);
  const what = wrong !== undefined ? `found at ${wrong.seed}` : isPlayed ? 'NOT FOUND' : 'NOT PLAYED';
  console.log(
    `${what.padEnd(14)}  ${mutant.breaks}${wrong === undefined ? '' : `\n                ${wrong.why}`}`,
  );
  const reason = wrong === undefined ? UNSEEN[mutant.breaks] : undefined;
  if (reason !== undefined) console.log(`                ${reason}`);
  if (!isPlayed) console.log(said.slice(0, 2_000));
}
console.log(`${found} of ${chosen.length} found`);
if (unsound.size > 0)
  console.log(`UNSOUND: ${[...unsound].join(', ')} go wrong with every guard in its place`);

/** The first history that goes wrong, but for those that always do: they show nothing of this one. */
async function search(mutant: Mutant) {
  for (let first = 1; ; ) {
    const said = await scratch.edited(mutant, (folder) => play(folder, first, Number(values.histories)));
    const [, seed, why = ''] = /^seed (\d+): (.*)$/m.exec(said) ?? [];
    if (seed === undefined) return { said, wrong: undefined };
    const at = Number(seed);
    if (!unsound.has(at) && !/^seed/m.test(await scratch.intact((folder) => play(folder, at, at))))
      return { said, wrong: { seed: at, why } };
    unsound.add(at);
    first = at + 1;
  }
}

/** The histories of these seeds, until one goes wrong. */
async function play(folder: string, first: number, last: number): Promise<string> {
  const which = ['--seed', String(first), '--histories', String(last - first + 1), '--length', values.length];
  const args = ['test/world/run.ts', '--first', ...which, ...(list?.over ?? [])];
  const child = spawn(process.execPath, args, { cwd: folder, timeout: LONGEST_MS });
  const [said, failed] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    child.exitCode ?? once(child, 'close'),
  ]);
  return said + failed;
}
