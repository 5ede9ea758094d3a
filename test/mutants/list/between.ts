/** Faults that lay between parts, each of which was as it should be. */
import type { Mutant } from '../mutant.ts';

const STORE = ['test/store/sqlite.test.ts'];
const BY_NUMBER = ['src/core/verification/by-number/by-number.test.ts'];

export const BETWEEN: readonly Mutant[] = [
  {
    breaks: 'a repetition is answered though its number was blocked meanwhile',
    file: 'src/store/sqlite/verifications/issue.ts',
    from: 'if (replay !== undefined) return replay;',
    to: 'if (replay !== undefined && !isBlocked(v)) return replay;',
    tests: STORE,
    named: 'do-not-send list',
  },
  {
    breaks: 'what a budget refuses keeps no Idempotency-Key',
    file: 'src/store/sqlite/verifications/issue.ts',
    from: `      if (v.idempotency !== null) idempotency.release(v.accountId, v.idempotency.keyHash);
      return reserved;`,
    to: '      return reserved;',
    tests: STORE,
    named: 'a refusal leaves nothing',
  },
  {
    breaks: 'what a failed message held goes back to its budgets',
    file: 'src/store/sqlite/budgets/reservations.ts',
    from: 'endRound.run({ id, fence, spent });\n      end(id);',
    to: 'endRound.run({ id, fence, spent });',
    tests: STORE,
    named: 'what a carrier did not charge comes back',
  },
  {
    breaks: 'the successor of a key has its restrictions',
    file: 'src/accounts/account-keys.ts',
    from: 'restrictions, custom_codes, $7\n          FROM api_key WHERE id = $1',
    to: `'{"channels":[],"countries":[],"sources":[]}', custom_codes, $7\n          FROM api_key WHERE id = $1`,
    tests: STORE,
    named: 'a rotation keeps the old key valid',
  },
  {
    breaks: 'an approval without a code holds the account’s own limits of wrong codes',
    file: 'src/core/verification/by-number/by-number.ts',
    from: 'store.approve({ id, accountId, test, now, limits, numberHashes })',
    to: 'store.approve({ id, accountId, test, now, limits: limits && undefined, numberHashes })',
    tests: BY_NUMBER,
  },
  {
    breaks: 'what is past its retention is not shown',
    file: 'src/store/sqlite/verifications/archive.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source text.
    from: "(:test IS NULL OR test = :test) AND ${isKept(':past')}",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source text.
    to: "(:test IS NULL OR test = :test) AND ${isKept('-(:past)')}",
    tests: STORE,
    named: 'is not found by',
  },
];
