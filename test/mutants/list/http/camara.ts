import type { Mutant } from '../../mutant.ts';

const CAMARA = ['src/http/camara/camara.test.ts'];
const SCENARIOS = ['test/camara/scenarios.test.ts'];
const DOORS = ['test/camara/doors.test.ts'];

/** The door of CAMARA, and codes that end those before. */
export const CAMARA_DOOR: readonly Mutant[] = [
  {
    breaks: 'of two codes of one number the first has ended (SQLite)',
    file: 'src/store/sqlite/verifications/issue.ts',
    from: 'if (v.endsEarlier) {',
    to: 'if (v.endsEarlier && v.test) {',
    tests: ['test/store/sqlite.test.ts'],
    named: 'each ends those before',
  },
  {
    breaks: 'of two codes of one number the first has ended (PostgreSQL)',
    file: 'src/store/postgres/schema/functions/issue.sql',
    from: "    ended := end_others(newer, '{}', every, (SELECT max(each) FROM unnest(created) AS each));\n",
    to: '',
    tests: ['test/store/postgres/contract.test.ts'],
    named: 'each ends those before',
  },
  {
    breaks: 'of two codes that are sent to a number at once one stays',
    file: 'src/store/postgres/verifications/issue.ts',
    from: 'endsEarlier ? destinationHash : idempotency',
    to: 'idempotency',
    tests: ['test/store/postgres/contract.test.ts'],
    named: 'each ends those before',
  },
  {
    breaks: 'only an account that turned it on is answered',
    file: 'src/http/camara/credentials.ts',
    from: 'identified.settings?.camara !== true',
    to: 'identified.settings?.camara === null',
    tests: CAMARA,
    named: 'is off for an account',
  },
  {
    breaks: 'a path that is not there is 404, whatever the body is',
    file: 'src/http/camara/index.ts',
    from: `request.is404
          ? refuseUnmatched(request, reply, paths)
          : `,
    to: '',
    tests: CAMARA,
    named: 'another method or path',
  },
  {
    breaks: 'a token without the scope has no permission',
    file: 'src/http/camara/credentials.ts',
    from: '!opened.scopes.includes(SEND_VALIDATE)',
    to: 'opened.scopes.length === 0',
    tests: DOORS,
    named: 'without the scope',
  },
  {
    breaks: 'a token ends after its time',
    file: 'src/http/camara/access-token.ts',
    from: '!isInTime(Number(until), TOKEN_SECONDS * 1_000, clock.wall())',
    to: '!isInTime(clock.wall() + 1, TOKEN_SECONDS * 1_000, clock.wall())',
    tests: CAMARA,
    named: 'until its time is over',
  },
  {
    breaks: 'a token that was made while the clock was ahead ends with the correction',
    file: 'src/http/camara/access-token.ts',
    from: '!isInTime(Number(until), TOKEN_SECONDS * 1_000, clock.wall())',
    to: 'Number(until) <= clock.wall()',
    tests: CAMARA,
    named: 'while the clock was ahead',
  },
  {
    breaks: 'a client sends no text of its own',
    file: 'src/core/message/named-text.ts',
    from: ') === wanted) return',
    to: ") !== '') return",
    tests: SCENARIOS,
    named: 'does not keep to the schema',
  },
  {
    breaks: 'the last wrong guess says that it was the last',
    file: 'src/http/camara/outcomes.ts',
    from: 'if (answer.attemptsRemaining === 0) return FAILED;',
    to: '',
    tests: CAMARA,
    named: 'validating: mismatch 0',
  },
];
