/** Accounts whose codes an identity system makes and judges: nobody here hears whether they were right. */

import type { Part } from '../scenario.ts';

/** All accounts are such. */
export const hooks: Part = ({ accounts, stage }) => {
  for (const { name } of accounts) stage.judgeElsewhere(name);
};

/** The largest one is. */
export const hook: Part = ({ accounts, stage }) => {
  for (const { name } of accounts.slice(0, 1)) stage.judgeElsewhere(name);
};
