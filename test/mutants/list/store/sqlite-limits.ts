import type { Mutant } from '../../mutant.ts';

const CONTRACT = ['test/store/sqlite.test.ts'];

export const SQLITE_LIMITS: readonly Mutant[] = [
  {
    breaks: 'a wrong guess at a test code does not count for its destination',
    file: 'src/store/sqlite/verifications/confirm.ts',
    from: "if (row.test === 1) return { kind: 'mismatch', attemptsRemaining: guessesLeft };",
    to: '',
    tests: CONTRACT,
    named: 'store verifications|failed guesses per destination|limits of an account',
  },
  {
    breaks: 'the guesses left are those of the code or of its destination, whichever are fewer',
    file: 'src/store/sqlite/verifications/confirm.ts',
    from: 'Math.min(guessesLeft, ...remaining)',
    to: 'Math.min(guessesLeft, ...remaining.slice(0, 0))',
    tests: CONTRACT,
    named: 'store verifications|failed guesses per destination|limits of an account',
  },
  {
    breaks: 'failed guesses are kept for the longest window that an account may set',
    file: 'src/store/shared/longest-window.ts',
    from: 'Math.max(LONGEST_ACCOUNT_WINDOW_MS, ',
    to: 'Math.max(0, ',
    tests: CONTRACT,
    named: 'limits of an account',
  },
  {
    breaks: 'what is not to be sent any more is not in the queue',
    file: 'src/store/sqlite/verifications/archive.ts',
    from: `'due_at IS NOT NULL AS "inQueue"'`,
    to: `'1 AS "inQueue"'`,
    tests: CONTRACT,
    named: 'store archive',
  },
  {
    breaks: 'failed guesses noted under the previous secret count',
    file: 'src/store/sqlite/verifications/confirm.ts',
    from: "'verification.previous_destination_hash'",
    to: "'NULL'",
    tests: CONTRACT,
  },
  {
    breaks: 'a request is allowed the moment that the oldest leaves the window',
    file: 'src/store/sqlite/verifications/request-rings.ts',
    from: 'WHERE requested_at <= excluded.requested_at - window_ms',
    to: 'WHERE requested_at < excluded.requested_at - window_ms',
    tests: CONTRACT,
  },
  {
    breaks: 'what one limit of a key refuses is no request to the others',
    file: 'src/store/sqlite/verifications/request-rings.ts',
    from: 'limits.length > 1 ? limits : []',
    to: 'limits.length > 9 ? limits : []',
    tests: CONTRACT,
  },
  {
    breaks: 'an account finds no verification of another',
    file: 'src/store/sqlite/verifications/archive.ts',
    from: 'WHERE (:accountId IS NULL OR account_id = :accountId) AND $',
    to: "WHERE (:accountId IS NULL OR :accountId <> '') AND $",
    tests: CONTRACT,
  },
];
