/** The guards that the world is to find the absence of. */
import { MUTANTS } from '../../mutants/all.ts';
import type { Mutant } from '../../mutants/mutant.ts';
import { CHOSEN } from './chosen.ts';
import { MENDED } from './mended.ts';

/** The embedded store, and what is between it and the doors. */
const FILES = /^src\/(core|delivery|http|events|accounts|store\/sqlite|reload)\//;

export const PLAYED: readonly Mutant[] = MUTANTS.filter(({ file }) => FILES.test(file));

export const LISTED: readonly Mutant[] = [...MENDED, ...CHOSEN].map((name) => {
  const [mutant] = PLAYED.filter(({ breaks }) => breaks === name);
  if (mutant === undefined) throw new Error(`no mutant breaks: ${name}`);
  return mutant;
});
