import type { Mutant } from '../../mutant.ts';

const SQLITE = ['test/store/sqlite.test.ts'];
const POSTGRES = ['test/store/postgres/contract.test.ts'];
const NODES = ['test/store/postgres/interleavings.test.ts'];

/** What outlives the call that it belongs to, and what no other call takes with it. */
export const CLAUSES: readonly Mutant[] = [
  {
    breaks: 'a test code is judged however many guesses failed',
    file: 'src/store/sqlite/verifications/confirm.ts',
    from: 'AND (test OR (${',
    to: 'AND ((test AND false) OR (${',
    tests: SQLITE,
    named: 'failed guesses per destination',
  },
  {
    breaks: 'a test code clears no failed guess',
    file: 'src/store/sqlite/verifications/confirm.ts',
    from: 'if (row.test === 0 && anyFailure',
    to: 'if (anyFailure',
    tests: SQLITE,
    named: 'failed guesses per destination',
  },
  {
    breaks: 'a success clears the failed guesses of the longest window',
    file: 'src/store/sqlite/verifications/confirm.ts',
    from: 'Math.max(0, ...budgets',
    to: 'Math.min(...budgets',
    tests: SQLITE,
    named: 'failed guesses per destination',
  },
  {
    breaks: 'a refused request frees only its own Idempotency-Key',
    file: 'src/store/sqlite/verifications/idempotency.ts',
    from: "'DELETE FROM idempotency WHERE account_id = ? AND key_hash = ?'",
    to: '"DELETE FROM idempotency WHERE account_id = ? AND ? <> \'\'"',
    tests: SQLITE,
    named: 'store idempotency',
  },
  {
    breaks: 'a hash before the mark is of the version before',
    file: 'src/store/sqlite/verifications/other-hashes.ts',
    from: '(destination_hash < ? OR destination_hash > ?)',
    to: '(? IS NULL OR destination_hash > ?)',
    tests: SQLITE,
    named: 'it is recognised',
  },
  {
    breaks: 'a hash before the mark is of the version before',
    file: 'src/store/postgres/verifications/other-hashes.ts',
    from: '(hash < $1 OR hash >',
    to: '(false OR hash >',
    tests: POSTGRES,
    named: 'it is recognised',
  },
  {
    breaks: 'a claim waits for no other node',
    file: 'src/store/postgres/schema/functions/queue.sql',
    from: 'LIMIT wanted FOR UPDATE SKIP LOCKED',
    to: 'LIMIT wanted FOR UPDATE',
    tests: NODES,
    named: 'a claim passes',
  },
  {
    breaks: 'a claim that drops expired codes waits for no other node',
    file: 'src/store/postgres/schema/functions/queue.sql',
    from: 'LIMIT expired_at_once FOR UPDATE SKIP LOCKED',
    to: 'LIMIT expired_at_once',
    tests: NODES,
    named: 'a claim passes',
  },
  {
    breaks: 'the requests of an expired key are forgotten',
    file: 'src/store/sqlite/upkeep/purge.ts',
    from: 'WHERE revoked_at <= :now OR expires_at <= :now LIMIT',
    to: 'WHERE revoked_at <= :now LIMIT',
    tests: SQLITE,
    named: 'store purge',
  },
  {
    breaks: 'the requests of an expired key are forgotten',
    file: 'src/store/postgres/upkeep/purge.ts',
    from: '(revoked_at <= $1 OR expires_at <= $1)',
    to: '(revoked_at <= $1)',
    tests: POSTGRES,
    named: 'store purge',
  },
  {
    breaks: 'a later failed guess keeps its destination',
    file: 'src/store/postgres/schema/functions/confirm.sql',
    from: 'last_day = greatest(last_day, judged.now / 86400000)',
    to: 'last_day = last_day',
    tests: POSTGRES,
    named: 'store purge',
  },
  {
    breaks: 'a later send keeps its destination',
    file: 'src/store/postgres/schema/functions/take-sends.sql',
    from: `      last_day = greatest(held.last_day, excluded.last_day)
`,
    to: `      last_day = held.last_day
`,
    tests: POSTGRES,
    named: 'store purge',
  },
  {
    breaks: 'what other carriers delivered is not in the inbox of a destination',
    file: 'src/store/sqlite/messages/inbox.ts',
    from: `AND account_id = :accountId AND inbox_at IS NOT NULL
    ORDER`,
    to: `AND account_id = :accountId
    ORDER`,
    tests: SQLITE,
    named: 'store inbox',
  },
  {
    breaks: 'an id made shortly before its time is found by the time',
    file: 'src/store/shared/archive-page.ts',
    from: 'const ID_SLACK_MS = 10_000',
    to: 'const ID_SLACK_MS = 0',
    tests: SQLITE,
    named: 'store archive',
  },
  {
    breaks: 'expired codes are dropped many at a time',
    file: 'src/store/sqlite/messages/queue.ts',
    from: 'EXPIRED_AT_ONCE = 500;',
    to: 'EXPIRED_AT_ONCE = 1;',
    tests: SQLITE,
    named: 'store queue',
  },
  {
    breaks: 'who delivered at once is a sender',
    file: 'src/store/sqlite/messages/senders.ts',
    from: "outcome IN ('accepted', 'delivered')",
    to: "outcome IN ('accepted')",
    tests: SQLITE,
    named: 'do-not-send',
  },
  {
    breaks: 'who delivered at once is a sender',
    file: 'src/store/postgres/messages/senders.ts',
    from: "outcome IN ('accepted', 'delivered')",
    to: "outcome IN ('accepted')",
    tests: POSTGRES,
    named: 'do-not-send',
  },
  {
    breaks: 'a message that was accepted after midnight has a sender',
    file: 'src/store/sqlite/messages/senders.ts',
    from: 'Math.floor(Number(newest) / DAY_MS) + 1; day',
    to: 'Math.floor(Number(newest) / DAY_MS); day',
    tests: SQLITE,
    named: 'do-not-send',
  },
  {
    breaks: 'of messages under two secrets the last one counts',
    file: 'src/store/sqlite/messages/senders.ts',
    from: `          .sort()
          .reverse();`,
    to: '          .sort();',
    tests: SQLITE,
    named: 'do-not-send',
  },
  {
    breaks: 'of messages under two secrets the last one counts',
    file: 'src/store/postgres/messages/senders.ts',
    from: 'ORDER BY verification.id DESC LIMIT 1`',
    to: 'ORDER BY verification.id LIMIT 1`',
    tests: POSTGRES,
    named: 'do-not-send',
  },
];
