import type { Guess } from '../../core/verification.ts';

/** Calls of accounts with other limits are batches of their own. */
export const limitsGroup = ({ limits }: Pick<Guess, 'limits'>) => limits && JSON.stringify(limits);
