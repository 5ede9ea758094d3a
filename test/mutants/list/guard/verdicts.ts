/** What accounts say of their verifications: evidence, and neither a weapon nor a key. */
import type { Mutant } from '../../mutant.ts';

const GUARD = ['src/guard/verdicts.test.ts'];
const STORE = ['test/store/sqlite.test.ts'];
const FEEDBACK = 'src/accounts/guarding/feedback.ts';

export const GUARD_VERDICTS: readonly Mutant[] = [
  {
    breaks: 'a verdict counts at no place where others are judged',
    file: 'src/guard/guard-state.ts',
    from: 'const OWN_PLACES = [ACCOUNT_COUNTRY, DEVICE];',
    to: 'const OWN_PLACES = [ACCOUNT_COUNTRY, DEVICE, 1, 5];',
    tests: GUARD,
  },
  {
    breaks: 'no silence is excused where nobody confirms',
    file: 'src/guard/guard-state.ts',
    from: 'country.slot >= 0 && country.confirmed[2] >= PROVEN;',
    to: 'country.slot >= 0;',
    tests: GUARD,
  },
  {
    breaks: 'no more silence is excused than there is',
    file: 'src/guard/guard-state.ts',
    from: ' && unconfirmedAt(country, 2) >= 1;',
    to: ';',
    tests: GUARD,
  },
  {
    breaks: 'nothing that is closed is opened by a verdict',
    file: 'src/guard/guard-state.ts',
    from: 'return isProven && !isClosed(country) && ',
    to: 'return isProven && ',
    tests: GUARD,
  },
  {
    breaks: 'a verdict that replaces another takes back what that counted',
    file: 'src/guard/guard.ts',
    from: "if (before !== null) this.#state.judged(ask, createdAt, before, 'takes back');",
    to: '',
    tests: GUARD,
  },
  {
    breaks: 'a verdict takes back no more at another node than that was told',
    file: 'src/guard/sharing.ts',
    from: 'Math.max(0, place.confirmed[scale] + share.confirmed[scale] * left);',
    to: 'place.confirmed[scale] + share.confirmed[scale] * left;',
    tests: GUARD,
  },
  {
    breaks: 'a verdict on what is no evidence, or of a test key, counts nothing',
    file: 'src/guard/live/live-guard.ts',
    from: "if (!code.isEvidence || code.caller.test || this.#modeOf(code.caller) === 'off') return 0;",
    to: '',
    tests: ['src/guard/live/live-guard.test.ts'],
  },
  {
    breaks: 'only so many verdicts count in a day',
    file: FEEDBACK,
    from: 'WHERE verdict_count.counted < $',
    to: 'WHERE 0 < $',
    tests: STORE,
    named: 'verdict',
  },
  {
    breaks: 'what an account says is changed only so often in a day',
    file: FEEDBACK,
    from: "'change', at, MOST_SAID)",
    to: "'change', at, MOST_SAID * 2)",
    tests: STORE,
    named: 'verdict',
  },
  {
    breaks: 'of verdicts that are given at once each replaces the one before',
    file: 'src/store/shared/verdict.ts',
    from: 'AND verdict IS NOT DISTINCT FROM CAST($6 AS TEXT) AND verdict_at IS NOT DISTINCT FROM CAST($7 AS BIGINT)',
    to: 'AND coalesce($6, $7, 1) IS NOT NULL',
    tests: STORE,
    named: 'verdict',
  },
  {
    breaks: 'the same verdict again changes nothing',
    file: FEEDBACK,
    from: "if ((before?.verdict ?? null) === verdict) return { kind: 'given', id };",
    to: '',
    tests: STORE,
    named: 'verdict',
  },
  {
    breaks: 'a verdict on what is too old is refused',
    file: FEEDBACK,
    from: ' || found.verification.createdAt <= at - VERDICT_MS',
    to: '',
    tests: STORE,
    named: 'verdict',
  },
  {
    breaks: 'a verdict counts as a request with its key',
    file: FEEDBACK,
    from: "if (refusal !== undefined) return { kind: 'limited', scope: 'key', ...refusal };",
    to: '',
    tests: STORE,
    named: 'verdict',
  },
];
