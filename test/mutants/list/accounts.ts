/** What accounts promise: their keys, their members, and who comes in. */
import type { Mutant } from '../mutant.ts';

export const ACCOUNTS: readonly Mutant[] = [
  {
    breaks: 'a key is rotated once',
    file: 'src/accounts/account-keys.ts',
    from: `WHERE \${GOOD} AND replaced_by IS NULL RETURNING id`,
    to: `WHERE \${GOOD} RETURNING id`,
    tests: ['test/store/sqlite.test.ts'],
    named: 'store keys of an account',
  },
  {
    breaks: 'newcomers are admitted by their whole domain',
    file: 'src/portal/oidc/admission.ts',
    from: `domains.includes(domain)`,
    to: `domains.some((each) => domain.endsWith(each))`,
    tests: ['test/portal/oidc/sign-in.test.ts', 'test/portal/oidc/forged.test.ts'],
  },
  {
    breaks: 'the bounds of a live key are changed only after a fresh proof',
    file: 'src/portal/keys/routes.ts',
    from: `if (lacksProof(request, before))`,
    to: `if (lacksProof(request, { test: before.test || before.replacedBy === null }))`,
    tests: ['test/portal/keys.test.ts', 'test/portal/sign-in/proof.test.ts'],
  },
  {
    breaks: 'a right password keeps the guesses that others made from its address',
    file: 'src/portal/sign-in/sign-in.ts',
    from: `[returnGuess(source), forgetGuesses(anybodys)]`,
    to: `[forgetGuesses(source), returnGuess(source), forgetGuesses(anybodys)]`,
    tests: ['test/portal/sign-in/sign-in.test.ts'],
    named: 'one address that guesses',
  },
];
