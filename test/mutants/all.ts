/** Every mutant. A new one goes into the list of its room. */
import { FRESH } from './list/fresh.ts';
import type { Mutant } from './mutant.ts';

export const MUTANTS: readonly Mutant[] = FRESH;
