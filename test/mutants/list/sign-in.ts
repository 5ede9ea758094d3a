import type { Mutant } from '../mutant.ts';

const PASSKEY = ['test/portal/sign-in/passkey.test.ts'];
const FORGED = ['test/portal/oidc/forged.test.ts'];
const FORGED_AND_MORE = ['test/portal/oidc/forged.test.ts', 'test/portal/oidc/sign-in.test.ts'];
const INVITATION = ['test/portal/sign-in/invitation-time.test.ts'];
const MEMBERS = ['test/portal/members.test.ts'];

export const SIGN_IN: readonly Mutant[] = [
  {
    breaks: 'a challenge expires on time',
    file: 'src/portal/factors/passkeys.ts',
    from: 'if (Number(expiresAt) <= this.#now) return false;',
    to: '',
    tests: PASSKEY,
  },
  {
    breaks: 'a challenge works only once',
    file: 'src/portal/factors/passkeys.ts',
    from: 'this.#seen.hash, this.#seen.expiresAt',
    to: 'mintToken(), this.#seen.expiresAt',
    tests: PASSKEY,
  },
  {
    breaks: 'a passkey whose counter does not rise is refused as a copy',
    file: 'src/portal/factors/passkeys.ts',
    from: 'WHERE id = $1 AND counter = $3 RETURNING id',
    to: 'WHERE id = $1 AND $3 >= 0 RETURNING id',
    tests: PASSKEY,
  },
  {
    breaks: 'the number of passkeys per person is bounded',
    file: 'src/portal/factors/passkeys.ts',
    from: 'WHERE (SELECT count(*) FROM passkey WHERE person_id = $2) <',
    to: 'WHERE 0 <',
    tests: PASSKEY,
  },
  {
    breaks: "nobody can remove another person's passkey",
    file: 'src/portal/factors/passkeys.ts',
    from: 'DELETE FROM passkey WHERE person_id = $1 AND id = $2 RETURNING name',
    to: "DELETE FROM passkey WHERE $1 <> '' AND id = $2 RETURNING name",
    tests: ['test/portal/routes.test.ts', 'test/portal/sign-in/passkey.test.ts'],
  },
  {
    breaks: 'a sign-in at a provider expires on time',
    file: 'src/portal/oidc/flow.ts',
    from: ' || flow.expiresAt <= now ?',
    to: ' ?',
    tests: ['src/portal/oidc/flow.test.ts'],
  },
  {
    breaks: 'a sign-in is bound to its provider',
    file: 'src/portal/oidc/flow.ts',
    from: '{provider}`',
    to: '{typeof provider}`',
    tests: ['src/portal/oidc/flow.test.ts'],
  },
  {
    breaks: 'a sign-in at a provider is completed only once',
    file: 'src/portal/oidc/flow.ts',
    from: 'hashToken(state), expiresAt',
    to: 'hashToken(mintToken()), expiresAt',
    tests: ['test/portal/oidc/forged.test.ts', 'test/portal/oidc/sign-in.test.ts'],
  },
  {
    breaks: 'a token of a provider is signed',
    file: 'src/portal/oidc/provider.ts',
    from: 'await this.#checkSignature(library, server, response);',
    to: '',
    tests: FORGED,
  },
  {
    breaks: 'an address that the provider has not verified identifies nobody',
    file: 'src/portal/oidc/provider.ts',
    from: 'isVerified && typeof email',
    to: 'typeof email',
    tests: FORGED_AND_MORE,
  },
  {
    breaks: 'newcomers are admitted only from configured domains',
    file: 'src/portal/oidc/admission.ts',
    from: 'newcomers.filter(({ domains }) => domains.includes(domain))',
    to: "newcomers.filter(() => domain !== '')",
    tests: FORGED_AND_MORE,
  },
  {
    breaks: 'the last owner cannot leave',
    file: 'src/accounts/members.ts',
    from: "(role <> 'owner' OR EXISTS (",
    to: "(role <> '' OR EXISTS (",
    tests: MEMBERS,
  },
  {
    breaks: 'the last owner keeps the role',
    file: 'src/accounts/members.ts',
    from: "($3 = 'owner' OR",
    to: "($3 <> '' OR",
    tests: MEMBERS,
  },
  {
    breaks: 'an expired invitation is not accepted',
    file: 'src/accounts/invitations.ts',
    from: 'role = $4 AND expires_at > $5\n',
    to: 'role = $4 AND $5 > 0\n',
    tests: INVITATION,
  },
  {
    breaks: 'an expired invitation is not shown',
    file: 'src/accounts/invitations.ts',
    from: 'WHERE hash = $1 AND expires_at > $2`',
    to: 'WHERE hash = $1 AND $2 > 0`',
    tests: INVITATION,
  },
  {
    breaks: "another account's invitation cannot be withdrawn",
    file: 'src/accounts/invitations.ts',
    from: 'DELETE FROM invitation WHERE account_id = $1 AND id = $2',
    to: "DELETE FROM invitation WHERE $1 <> '' AND id = $2",
    tests: ['test/portal/routes.test.ts'],
  },
];
