import type { Mutant } from '../../mutant.ts';

export const UPKEEP: readonly Mutant[] = [
  {
    breaks: 'the code of a simulated message is erased with the message',
    file: 'src/store/sqlite/upkeep/purge.ts',
    from: 'UPDATE verification SET inbox_at = NULL, code_sealed = NULL WHERE',
    to: 'UPDATE verification SET inbox_at = NULL WHERE',
    tests: ['src/store/sqlite/file/folder.test.ts'],
  },
  {
    breaks: 'the purge forgets no sends that a window still counts',
    file: 'src/store/postgres/upkeep/purge.ts',
    from: 'dayOf(now - counted) - 1',
    to: 'dayOf(now) - 1',
    tests: ['test/store/postgres/contract.test.ts'],
  },
  {
    breaks: 'a day is dropped only when its last verification is past the retention',
    file: 'src/store/postgres/schema/partitions.ts',
    from: 'T00:00:00Z`) + DAY_MS;',
    to: 'T00:00:00Z`);',
    tests: ['test/store/postgres/schema.test.ts'],
  },
  {
    breaks: 'only its owner reads a backup',
    file: 'src/store/sqlite/backup/part-file.ts',
    from: "openSync(path, 'wx', 0o600)",
    to: "openSync(path, 'wx', 0o644)",
    tests: ['test/store/backup.test.ts'],
  },
  {
    breaks: 'the purge forgets no requests of a key in use',
    file: 'src/store/postgres/upkeep/purge.ts',
    from: 'WHERE (revoked_at <= $1 OR expires_at <= $1) AND EXISTS',
    to: 'WHERE (revoked_at <= $1 OR created_at <= $1) AND EXISTS',
    tests: ['test/store/postgres/contract.test.ts'],
  },
  {
    breaks: 'a key has its name as long as statistics show its use',
    file: 'src/accounts/sweep.ts',
    from: 'Math.max(verifications, statistics)',
    to: 'Math.min(verifications, statistics)',
    tests: ['test/portal/store/stores-accounts.test.ts', 'test/portal/keys.test.ts'],
  },
  {
    breaks: 'sends that the version before hashed count after an upgrade',
    file: 'src/main.ts',
    from: 'await store.holdsOtherHashes(HASH_MARK, clock.now() - config.retention.verifications)',
    to: 'false',
    tests: ['test/store/version-before.test.ts'],
    named: 'takes over such a store',
  },
  {
    breaks: 'messages of the simulator are deleted in every account',
    file: 'src/store/sqlite/upkeep/purge.ts',
    from: 'account_id > account.id)',
    to: 'account_id > id)',
    tests: ['test/store/sqlite.test.ts'],
    named: 'messages of the inbox are deleted',
  },
];
