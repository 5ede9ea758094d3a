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
];
