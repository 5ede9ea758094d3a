/** Who gets into the portal, how often they may guess, and what they may do there. */
import type { Mutant } from '../mutant.ts';

export const SESSIONS: readonly Mutant[] = [
  {
    breaks: 'a password is guessed only so often, from however many addresses',
    file: 'src/portal/sign-in/sign-in.ts',
    from: 'own === undefined ? [source, anybodys] : [own]',
    to: 'own === undefined ? [source] : [own]',
    tests: ['test/portal/sign-in/sign-in.test.ts'],
  },
  {
    breaks: 'a second factor is guessed only so often',
    file: 'src/portal/sign-in/sign-in.ts',
    from: "await takeGuess(records, [subject], now);\n  if (!admission.ok) return { kind: 'limited', retryAfterMs: admission.retryAfterMs };",
    to: 'await takeGuess(records, [subject], now);',
    tests: ['test/portal/sign-in/second-factor.test.ts'],
  },
  {
    breaks: 'a role below that of the route is refused',
    file: 'src/portal/access.ts',
    from: 'if (!isAtLeast(role, least)) {',
    to: 'if (!isAtLeast(least, role)) {',
    tests: ['test/portal/members.test.ts'],
  },
  {
    breaks: 'a proof of identity is fresh for ten minutes, not as long as a session',
    file: 'src/portal/sign-in/session.ts',
    from: 'return provenAt > now - FRESH_MS;',
    to: 'return provenAt > now - IDLE_MS;',
    tests: ['test/portal/sign-in/proof.test.ts'],
  },
  {
    breaks: 'a new password ends all other sessions',
    file: 'src/portal/me/routes.ts',
    from: '        endSessions(personId, sessionId),\n',
    to: '',
    tests: ['test/portal/sign-in/sign-in.test.ts'],
  },
  {
    breaks: 'only an owner invites',
    file: 'src/portal/routes.ts',
    from: "['POST', 'accounts/:account/invitations', as('owner', 'proven'), 'invite'],",
    to: "['POST', 'accounts/:account/invitations', as('developer', 'proven'), 'invite'],",
    tests: ['test/portal/routes.test.ts'],
  },
  {
    breaks: 'a new password ends the other sessions, and keeps this one',
    file: 'src/portal/sign-in/session.ts',
    from: "'DELETE FROM session WHERE person_id = $1 AND id <> $2'",
    to: "'DELETE FROM session WHERE person_id = $1 AND id = $2'",
    tests: ['test/portal/sign-in/sign-in.test.ts'],
  },
  {
    breaks: 'to sign in again gives no more guesses at the second factor',
    file: 'src/portal/sign-in/sign-in.ts',
    from: 'const subject = ofSecondFactor(personId);',
    to: 'const subject = ofSecondFactor(token);',
    tests: ['test/portal/sign-in/second-factor.test.ts'],
    named: 'guesses at the second factor',
  },
  {
    breaks: 'an address of which the provider does not say that it is verified is not taken for verified',
    file: 'src/portal/oidc/provider.ts',
    from: "verified === true || verified === 'true' || verified === 1 || verified === '1';",
    to: "verified !== false && verified !== 'false' && verified !== 0 && verified !== '0';",
    tests: ['test/portal/oidc/sign-in.test.ts', 'test/portal/oidc/variants.test.ts'],
  },
];
