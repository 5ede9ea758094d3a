/** What the guard takes as evidence, whose it is, and how it reaches another node. */
import type { Mutant } from '../../mutant.ts';

export const GUARD_VOUCHING: readonly Mutant[] = [
  {
    breaks: 'a rule of one account does not hold for the others',
    file: 'src/guard/live/rules-keeper.ts',
    from: 'const account = row.account_id === null ? undefined : String(row.account_id);',
    to: 'const account = undefined;',
    tests: ['src/guard/live/rules-keeper.test.ts'],
  },
  {
    breaks: 'a node that was long behind hears all that the others learnt',
    file: 'src/guard/live/kept-memory.ts',
    from: 'return { last: Number((isAll ? newest?.value : newest?.sequence) ?? last), texts };',
    to: 'return { last: Number(newest?.value ?? last), texts };',
    tests: ['test/store/sqlite.test.ts'],
    named: 'long behind',
  },
  {
    breaks: 'who confirms the same number again vouches for its surroundings only once',
    file: 'src/guard/guard-state.ts',
    from: 'if (repeat !== undefined && (isAgain || isKnown)) {',
    to: 'if (repeat !== undefined && !(isAgain || isKnown)) {',
    tests: ['src/guard/guard.test.ts'],
  },
  {
    breaks: 'a range where most codes are not confirmed is not proven by those that were',
    file: 'src/guard/judge-places.ts',
    from: 'return view.slot >= 0 && isQuiet && days >= 0.8 && unconfirmedAt(view, 2) <= days;',
    to: 'return view.slot >= 0 && isQuiet && days >= 0.8;',
    tests: ['src/guard/guard.test.ts'],
  },
];
