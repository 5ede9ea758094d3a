import type { Mutant } from '../mutant.ts';

const SQLITE = ['test/store/sqlite.test.ts'];
const POSTGRES = ['test/store/postgres/contract.test.ts'];
const VERIFIED = ['src/core/verification/carrier-test.test.ts'];
const DELIVERED = ['src/delivery/carrier-test.test.ts'];
const SENT = ['test/portal/carrier-tests.test.ts'];

export const CARRIER_TESTS: readonly Mutant[] = [
  {
    breaks: 'an account may send few tests of carriers',
    file: 'src/accounts/carrier-tests.ts',
    from: '(SELECT count(*) FROM carrier_test WHERE account_id = $2',
    to: '(SELECT 0 * count(*) FROM carrier_test WHERE account_id = $2',
    tests: SQLITE,
    named: 'as many as the account may send',
  },
  {
    breaks: 'all accounts together may send few tests of carriers, whichever nodes they ask',
    file: 'src/accounts/carrier-tests.ts',
    from: 'transact([COUNT_UP, take, entry])',
    to: 'transact([take, entry])',
    tests: POSTGRES,
    named: 'as many as all may send together',
  },
  {
    breaks: 'a repeated test of a carrier is answered as the first before anything refuses it',
    file: 'src/portal/carrier-tests/carrier-tests.ts',
    from: 'if (parsed.ok && keyHashes.length > 0) {',
    to: 'if (parsed.ok && keyHashes.length > 9) {',
    tests: SENT,
    named: 'refused by now',
  },
  {
    breaks: 'a repeated test of a carrier is not another one',
    file: 'src/accounts/carrier-tests.ts',
    from: 'NOT EXISTS (SELECT 1 FROM carrier_test',
    to: '0 <= (SELECT count(*) FROM carrier_test',
    tests: SQLITE,
    named: 'under an earlier secret',
  },
  {
    breaks: 'a test of a carrier is in no queue (SQLite)',
    file: 'src/store/sqlite/verifications/issue.ts',
    from: 'dueAt: v.leaseUntil === null ? null : Math.min(v.leaseUntil, v.expiresAt - 1),',
    to: 'dueAt: Math.min(v.leaseUntil ?? v.expiresAt, v.expiresAt - 1),',
    tests: SQLITE,
    named: 'is never given out',
  },
  {
    breaks: 'a test of a carrier is in no queue (PostgreSQL)',
    file: 'src/store/postgres/schema/functions/issue.sql',
    from: 'WHERE admitted AND leased IS NOT NULL;',
    to: 'WHERE admitted;',
    tests: POSTGRES,
    named: 'is never given out',
  },
  {
    breaks: 'a refused test of a carrier is no failed attempt in the figures (SQLite)',
    file: 'src/store/sqlite/statistics/tally-book.ts',
    from: "if (cohort.keyId === NO_KEY && measure !== 'cost') return;",
    to: '',
    tests: SQLITE,
    named: 'no carrier took has failed, and counts nowhere',
  },
  {
    breaks: 'a refused test of a carrier is no failed attempt in the figures (PostgreSQL)',
    file: 'src/store/postgres/schema/functions/queue.sql',
    from: "AND key_id <> 'none' GROUP BY",
    to: 'GROUP BY',
    tests: POSTGRES,
    named: 'no carrier took has failed, and counts nowhere',
  },
  {
    breaks: 'the code of a test of a carrier confirms nothing',
    file: 'src/core/verification/verifier.ts',
    from: 'guesses: carrierTest === undefined ? this.#deps.code.guesses : 0,',
    to: 'guesses: this.#deps.code.guesses,',
    tests: VERIFIED,
  },
  {
    breaks: 'a test reaches no host that no route leads to over its carrier',
    file: 'src/core/verification/carrier-test.ts',
    from: "destination.kind === 'sip' && !carriers.includes(carrier)",
    to: 'false',
    tests: VERIFIED,
  },
  {
    breaks: 'a test goes only where a route leads',
    file: 'src/core/verification/carrier-test.ts',
    from: 'if (!found.ok) return found;\n    const { countries, prefixes, carriers } = found.route;',
    to: 'const { countries, prefixes, carriers } = found.ok ? found.route : { carriers: [carrier] } as const;',
    tests: VERIFIED,
  },
  {
    breaks: 'a test of a carrier ends with the first answer',
    file: 'src/delivery/round.ts',
    from: 'if (isTest || now >= message',
    to: 'if (now >= message',
    tests: DELIVERED,
  },
  {
    breaks: 'a carrier that a test did not ask is not called failing',
    file: 'src/delivery/dispatcher.ts',
    from: 'if (reason?.startsWith(NOT_ASKED)) continue;',
    to: '',
    tests: DELIVERED,
  },
  {
    breaks: 'a test goes over its carrier, and not over those of the route',
    file: 'src/reload/generation.ts',
    from: 'message.only === undefined ? routing.choose(message) : onlyOf(message.only)',
    to: 'routing.choose(message)',
    tests: SENT,
  },
  {
    breaks: 'a repeated test is answered only if the same was asked for',
    file: 'src/portal/carrier-tests/carrier-tests.ts',
    from: "openField(keyring, sealed, id, 'destination') === address",
    to: 'true',
    tests: SENT,
  },
  {
    breaks: 'pages are told which channels may be asked for, besides those of every service',
    file: 'src/portal/index.ts',
    from: 'channels: verifier.channels, simulated',
    to: 'channels: verifier.channels.slice(0, 2), simulated',
    tests: ['test/browser/carrier-tests.test.ts'],
    named: 'only channels that are offered',
  },
];
