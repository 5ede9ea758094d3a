/** Limits that hold for one account divide calls into batches. SQLite prepares statements for each list of limits instead. */
import type { Guess } from '../../../core/verification/verification.ts';

/** Calls in one batch have the same limits. */
export const limitsGroup = ({ limits }: Pick<Guess, 'limits'>) => limits && JSON.stringify(limits);
