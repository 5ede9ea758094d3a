import type { Mutant } from '../../mutant.ts';

const SQLITE = ['test/store/sqlite.test.ts'];
const POSTGRES = ['test/store/postgres/contract.test.ts'];

/** Codes that are confirmed by their number. */
export const BY_NUMBER: readonly Mutant[] = [
  {
    breaks: 'a code whose guesses are used up never matches its number',
    file: 'src/store/sqlite/verifications/by-number.ts',
    from: ' AND guesses_left > 0',
    to: '',
    tests: SQLITE,
    named: 'guesses are used up never matches',
  },
  {
    breaks: 'an approval ends the other codes of the number',
    file: 'src/store/sqlite/verifications/by-number.ts',
    from: 'for (const { id } of liveOf(guess, -1)) endOne({ id, accountId, test: null, now });',
    to: '',
    tests: SQLITE,
    named: 'ends the others',
  },
  {
    breaks: 'a canceled code is not sent any more',
    file: 'src/store/sqlite/verifications/by-number.ts',
    from: `code_sealed END,
      due_at = NULL`,
    to: `code_sealed END,
      due_at = due_at`,
    tests: SQLITE,
    named: 'a canceled code is over',
  },
  {
    breaks: 'a test key cancels no code of a live key',
    file: 'src/store/sqlite/verifications/by-number.ts',
    from: '(:test IS NULL OR test = :test)',
    to: '(:test IS NULL OR true)',
    tests: SQLITE,
    named: 'a canceled code is over',
  },
  {
    breaks: 'a wrong code uses up a guess of the newest (PostgreSQL)',
    file: 'src/store/postgres/schema/functions/confirm-by-number.sql',
    from: 'ORDER BY call, matches DESC, id DESC',
    to: 'ORDER BY call, matches DESC, id',
    tests: POSTGRES,
    named: 'uses up one guess, of the newest',
  },
  {
    breaks: 'an approval ends what was issued since the codes were found (PostgreSQL)',
    file: 'src/store/postgres/schema/functions/confirm-by-number.sql',
    from: 'AND destination_hash = ANY (approved) AND confirmed_at IS NULL',
    to: 'AND verification.id = ANY (ids) AND confirmed_at IS NULL',
    tests: POSTGRES,
    named: 'what changed since the codes were found',
  },
  {
    breaks: 'the code of what was canceled before it was sent is erased',
    file: 'src/store/sqlite/verifications/by-number.ts',
    from: 'code_sealed = CASE WHEN due_at IS NULL THEN code_sealed END,',
    to: 'code_sealed = code_sealed,',
    tests: ['src/store/sqlite/file/erasure.test.ts'],
  },
  {
    breaks: 'a confirmation ends no code of another number that is guessed at the same moment',
    file: 'src/store/postgres/schema/functions/confirm-by-number.sql',
    from: 'AND destination_hash = ANY (approved) AND confirmed_at IS NULL AND expires_at > latest',
    to: 'AND confirmed_at IS NULL AND expires_at > latest',
    tests: POSTGRES,
    named: 'store codes by number',
  },
  {
    breaks: 'who confirms takes no code of another number out of those that are found',
    file: 'src/store/postgres/schema/functions/confirm-by-number.sql',
    from: 'WHERE destination_hash = ANY (approved) AND verification_id = ANY (every);',
    to: 'WHERE verification_id = ANY (every);',
    tests: POSTGRES,
    named: 'store codes by number',
  },
  {
    breaks: 'what was canceled is found no more',
    file: 'src/store/postgres/schema/functions/confirm-by-number.sql',
    from: '  DELETE FROM code_by_number WHERE destination_hash = ended AND verification_id = wanted;\n',
    to: '',
    tests: POSTGRES,
    named: 'store codes by number',
  },
  {
    breaks: 'guesses at numbers of several accounts at once are judged by the limits of each',
    file: 'src/store/postgres/verifications/by-number.ts',
    from: '    groupOf: limitsGroup,\n',
    to: '',
    tests: POSTGRES,
    named: 'store limits of an account those of guesses',
  },
];
