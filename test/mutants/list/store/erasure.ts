import type { Mutant } from '../../mutant.ts';

const SQLITE = ['test/store/sqlite.test.ts'];
const POSTGRES = ['test/store/postgres/contract.test.ts'];
const INTERLEAVINGS = ['test/store/postgres/interleavings.test.ts'];
const FILE = ['src/store/sqlite/file/erasure.test.ts'];
const ERASE = 'src/store/sqlite/verifications/erase.ts';
const FUNCTION = 'src/store/postgres/schema/functions/erase.sql';

/** The end of the columns that are left, and what is in them. */
const LAST = `expires_at)
    SELECT rowid, 'erased ' || rowid, '', '', test, '', '', destination_hash,
      previous_destination_hash, '', '', 0, created_at, created_at
`;
const lastAnd = (column: string) => LAST.replace('at)', `at, ${column})`).replace('at\n', `at, ${column}\n`);

export const ERASURE: readonly Mutant[] = [
  {
    breaks: 'of an erased send no key is left',
    file: 'src/store/sqlite/verifications/erase.ts',
    from: "rowid, '', '', test",
    to: "rowid, '', key_id, test",
    tests: FILE,
    named: 'of an erased send',
  },
  {
    breaks: 'of an erased send no channel is left',
    file: 'src/store/sqlite/verifications/erase.ts',
    from: "test, '', '', ",
    to: "test, channel, '', ",
    tests: FILE,
    named: 'of an erased send',
  },
  {
    breaks: 'of an erased send no country is left',
    file: 'src/store/sqlite/verifications/erase.ts',
    from: "test, '', '', ",
    to: "test, '', country, ",
    tests: FILE,
    named: 'of an erased send',
  },
  {
    breaks: 'of an erased send no sealed code is left',
    file: 'src/store/sqlite/verifications/erase.ts',
    from: "['delivery', 'attempt', 'idempotency', 'messenger_user']",
    to: "['attempt', 'idempotency']",
    tests: FILE,
    named: 'of an erased send',
  },
  {
    breaks: 'of an erased send no time of delivery is left',
    file: 'src/store/sqlite/verifications/erase.ts',
    from: '      message.run(account, id);\n',
    to: '',
    tests: FILE,
    named: 'of an erased send',
  },
  {
    breaks: 'of an erased send no time of confirmation is left',
    file: 'src/store/sqlite/verifications/erase.ts',
    from: LAST,
    to: lastAnd('confirmed_at'),
    tests: FILE,
    named: 'of an erased send',
  },
  {
    breaks: 'of an erased send no count of guesses is left',
    file: 'src/store/sqlite/verifications/erase.ts',
    from: "'', '', 0, created_at",
    to: "'', '', guesses_left, created_at",
    tests: FILE,
    named: 'of an erased send',
  },
  {
    breaks: 'a send of a test key is erased whole',
    file: 'src/store/sqlite/verifications/erase.ts',
    from: ' AND NOT test AND created_at',
    to: ' AND created_at',
    tests: FILE,
    named: 'of an erased send',
  },
  {
    breaks: 'a send that was erased still counts against the limits',
    file: ERASE,
    from: 'AND NOT test AND created_at > :now - ',
    to: 'AND NOT test AND created_at > :now + ',
    tests: SQLITE,
    named: 'erasure',
  },
  {
    breaks: 'only verifications of the given destinations are erased',
    file: ERASE,
    from: "'id = :id AND destination_hash IN (SELECT value FROM json_each(:hashes))'",
    to: "'id = :id AND json_valid(:hashes)'",
    tests: SQLITE,
    named: 'erasure',
  },
  {
    breaks: 'what is left of an erased verification belongs to no account',
    file: ERASE,
    from: "rowid, '', '', test",
    to: "rowid, account_id, '', test",
    tests: FILE,
  },
  {
    breaks: 'the purge deletes what is left of an erased verification when it no longer counts',
    file: 'src/store/sqlite/upkeep/purge.ts',
    from: 'left.run({ before: aged - sendWindow }).changes',
    to: 'left.run({ before: 0 }).changes',
    tests: FILE,
  },
  {
    breaks: 'the log is written back when the store closes, and keeps nothing that was erased',
    file: 'src/store/sqlite/store.ts',
    from: 'await reader.close();\n      await writer.close();',
    to: 'await writer.close();\n      await reader.close();',
    tests: FILE,
  },
  {
    breaks: 'a settlement after an erasure by another process writes nothing',
    file: 'src/store/sqlite/messages/settle.ts',
    from: 'held ? cohorts.take(id) : cohorts.find(id)',
    to: 'held ? cohorts.take(id) : cohorts.take(id)',
    tests: SQLITE,
    named: 'erasure',
  },
  {
    breaks: 'only verifications of the given destinations are erased',
    file: FUNCTION,
    from: 'AND id BETWEEN lowest AND highest AND destination_hash = ANY (hashes) ORDER BY id);',
    to: 'AND id BETWEEN lowest AND highest ORDER BY id);',
    tests: POSTGRES,
    named: 'erasure',
  },
  {
    breaks: 'an erasure waits for a settlement under way, and erases what it wrote',
    file: FUNCTION,
    from: `  PERFORM FROM delivery WHERE verification_id = ANY (wanted) ORDER BY verification_id FOR UPDATE;
  DELETE FROM delivery WHERE verification_id = ANY (wanted);
`,
    to: '',
    tests: INTERLEAVINGS,
    named: 'a settlement',
  },
  {
    breaks: 'the Idempotency-Key of a guess that was judged meanwhile is erased too',
    file: FUNCTION,
    from: `judged while this waited for the verification.
  DELETE FROM idempotency WHERE verification_id = ANY (wanted);`,
    to: 'judged while this waited for the verification.',
    tests: INTERLEAVINGS,
    named: 'a guess under an Idempotency-Key',
  },
  {
    breaks: 'the message of the simulator is erased with its verification',
    file: FUNCTION,
    from: `
  DELETE FROM inbox_message
  WHERE destination_hash = ANY (hashes) AND verification_id = ANY (wanted) AND verification_id BETWEEN lowest AND highest;`,
    to: '',
    tests: INTERLEAVINGS,
    named: 'a settlement under way',
  },
  {
    breaks: 'the code of a failed delivery is erased',
    file: 'src/store/sqlite/messages/settle.ts',
    from: `      case 'failed':
        return end.run({ id, fence }).changes === 1;`,
    to: `      case 'failed':
        return true;`,
    tests: ['src/store/sqlite/file/folder.test.ts'],
    named: 'is erased when failed',
  },
  {
    breaks: 'of an erased verification no number is left, even sealed',
    file: 'src/store/sqlite/verifications/erase.ts',
    from: "previous_destination_hash, '', ''",
    to: "previous_destination_hash, destination_sealed, ''",
    tests: FILE,
    named: 'of an erased send',
  },
  {
    breaks: 'the attempts of an erased number are gone, with its hash',
    file: 'src/store/postgres/schema/functions/erase.sql',
    from: '  DELETE FROM attempt WHERE verification_id = ANY (wanted) AND verification_id BETWEEN lowest AND highest;\n',
    to: '',
    tests: POSTGRES,
    named: 'store erasure',
  },
];
