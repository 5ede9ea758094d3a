import type { Mutant } from '../mutant.ts';

const SQLITE = ['test/store/sqlite.test.ts'];
const POSTGRES = ['test/store/postgres/contract.test.ts'];
const GUESSES = 'idempotency of guesses';

export const IDEMPOTENCY: readonly Mutant[] = [
  {
    breaks: 'a guess that was not judged leaves its Idempotency-Key free',
    file: 'src/store/sqlite/idempotency.ts',
    from: "if (outcome.kind !== 'confirmed' && outcome.kind !== 'mismatch') return;",
    to: "if (outcome.kind === 'idempotency-mismatch') return;",
    tests: SQLITE,
    named: GUESSES,
  },
  {
    breaks: 'another guess under the same Idempotency-Key is refused',
    file: 'src/store/sqlite/idempotency.ts',
    from: "if (holder.body_hash !== bodyHash) return { kind: 'idempotency-mismatch' };",
    to: '',
    tests: SQLITE,
    named: GUESSES,
  },
  {
    breaks: 'the Idempotency-Key of a guess is kept for 24 hours, to the millisecond',
    file: 'src/store/sqlite/idempotency.ts',
    from: 'SELECT body_hash, attempts_remaining, channel, destination_sealed, confirmed_at\n    FROM idempotency JOIN verification ON verification.id = verification_id\n    WHERE idempotency.account_id = ? AND key_hash = ? AND idempotency.created_at > ?',
    to: 'SELECT body_hash, attempts_remaining, channel, destination_sealed, confirmed_at\n    FROM idempotency JOIN verification ON verification.id = verification_id\n    WHERE idempotency.account_id = ? AND key_hash = ? AND idempotency.created_at >= ?',
    tests: SQLITE,
    named: GUESSES,
  },
  {
    breaks: 'an Idempotency-Key that is over is taken for another guess',
    file: 'src/store/sqlite/idempotency.ts',
    from: 'forgetOld.run(accountId, keyHash, now - IDEMPOTENCY_MS);',
    to: '',
    tests: SQLITE,
    named: GUESSES,
  },
  {
    breaks: 'a guess that was not judged leaves its Idempotency-Key free',
    file: 'src/store/postgres/functions/confirm-once.sql',
    from: 'AND call.number = ANY (taken) AND call.number <> ALL (judged)',
    to: 'AND call.number = ANY (taken) AND false',
    tests: POSTGRES,
    named: GUESSES,
  },
  {
    breaks: 'a guess that was judged keeps its Idempotency-Key',
    file: 'src/store/postgres/functions/confirm-once.sql',
    from: ' AND call.number <> ALL (judged)',
    to: '',
    tests: POSTGRES,
    named: GUESSES,
  },
  {
    breaks: 'another guess under the same Idempotency-Key is refused',
    file: 'src/store/postgres/functions/confirm-once.sql',
    from: 'WHEN held.body_hash <> call.body_hash THEN',
    to: 'WHEN false THEN',
    tests: POSTGRES,
    named: GUESSES,
  },
  {
    breaks: 'the Idempotency-Key of a guess is kept for 24 hours, to the millisecond',
    file: 'src/store/postgres/functions/confirm-once.sql',
    from: 'excluded.created_at - 86400000',
    to: 'excluded.created_at - 86399999',
    tests: POSTGRES,
    named: GUESSES,
  },
  {
    breaks: 'the Idempotency-Key of a guess is free after 24 hours, to the millisecond',
    file: 'src/store/postgres/functions/confirm-once.sql',
    from: 'excluded.created_at - 86400000',
    to: 'excluded.created_at - 86400001',
    tests: POSTGRES,
    named: GUESSES,
  },
  {
    breaks: 'an Idempotency-Key that is taken again remembers nothing of the guess before',
    file: 'src/store/postgres/functions/confirm-once.sql',
    from: ',\n      attempts_remaining = NULL\n',
    to: '\n',
    tests: POSTGRES,
    named: GUESSES,
  },
  {
    breaks: 'a wrong guess is answered again with what was left',
    file: 'src/store/postgres/functions/confirm-once.sql',
    from: "IF verdict.outcome = 'mismatch' THEN",
    to: 'IF false THEN',
    tests: POSTGRES,
    named: GUESSES,
  },
];
