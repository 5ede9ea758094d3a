/**
 * Takes guards of the list of mutants away, one by one in a copy of the project, and shows which of them the world's fixed seeds notice:
 * `node test/world/bite.ts "confirm.ts" "a budget"` takes those that have one of these words in them.
 */
import { MUTANTS } from '../mutants/all.ts';
import { createScratch } from '../mutants/scratch.ts';

/** What the world plays: the embedded store, and what is between it and the doors. */
const PLAYED = /^src\/(core|delivery|http|events|accounts|portal|store\/sqlite|reload)\//;

const words = process.argv.slice(2);
const chosen = MUTANTS.filter(
  ({ breaks, file }) => PLAYED.test(file) && words.some((word) => `${breaks} ${file}`.includes(word)),
);
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
using scratch = await createScratch();
let noticed = 0;
for (const mutant of chosen) {
  const played = {
    ...mutant,
    tests: ['test/world/world.test.ts'],
    named: 'what happens is what the documents allow',
  };
  const { passed } = await scratch.run(played, true);
  noticed += passed ? 0 : 1;
  console.log(`${passed ? 'not noticed' : 'noticed    '}  ${mutant.file}: ${mutant.breaks}`);
}
console.log(`${noticed} of ${chosen.length} noticed`);
