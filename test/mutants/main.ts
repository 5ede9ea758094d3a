/**
 * Breaks each guard in turn, in a copy of the project, and shows whether its tests notice. `npm run mutants -- confirm lease`
 * takes only the mutants that have one of these words in them.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MUTANTS } from './all.ts';
import { type Mutant, mutate } from './mutant.ts';
import { createScratch, ROOT } from './scratch.ts';

const words = process.argv.slice(2);
const says = ({ breaks, file }: Mutant, word: string) => `${breaks} ${file}`.includes(word);
const chosen = MUTANTS.filter((mutant) => words.length === 0 || words.some((word) => says(mutant, word)));
if (chosen.length === 0) throw new Error(`no mutant has ${words.join(' or ')} in it`);
// First, because an edit that no longer fits would otherwise fail only after all those before it.
for (const mutant of chosen) mutate(readFileSync(join(ROOT, mutant.file), 'utf8'), mutant);

// If ended early, the copy is still removed.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
using scratch = await createScratch();
/** Tests that also fail without an edit would seem to catch it. */
const sound = new Map<string, boolean>();
const verdicts: string[] = [];
for (const mutant of chosen) {
  const tests = `${mutant.tests} ${mutant.named}`;
  if (!sound.has(tests)) {
    const { passed, output } = await scratch.run(mutant, false);
    if (!passed) console.error(output);
    sound.set(tests, passed);
  }
  const verdict = sound.get(tests)
    ? (await scratch.run(mutant, true)).passed
      ? 'SURVIVED'
      : 'caught'
    : 'UNSOUND';
  verdicts.push(verdict);
  console.log(`${verdict.padEnd(8)}  ${mutant.file}: ${mutant.breaks}`);
}

const count = (wanted: string) => verdicts.filter((verdict) => verdict === wanted).length;
console.log(
  `${count('caught')} caught, ${count('SURVIVED')} survived, ${count('UNSOUND')} whose tests fail without the edit`,
);
if (count('caught') < verdicts.length) process.exitCode = 1;
