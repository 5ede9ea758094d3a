import type { Mutant } from '../../mutant.ts';

const SERVERS = ['test/store/postgres/servers.test.ts'];
const SETTINGS = ['test/store/postgres/settings.test.ts'];
const BROKEN = ['test/store/postgres/broken-connections.test.ts'];

export const POSTGRES_CONNECTION: readonly Mutant[] = [
  {
    breaks: 'a standby is not used where the primary is wanted',
    file: 'src/store/postgres/connection/session.ts',
    from: 'if (isOther) {',
    to: "if (isOther && target === 'any') {",
    tests: SERVERS,
    named: 'the primary is used',
  },
  {
    breaks: 'once a connection has failed, the others are looked at again',
    file: 'src/store/postgres/connection/servers.ts',
    from: 'this.#sessions = new WeakMap();',
    to: '',
    tests: SERVERS,
    named: 'fails one call',
  },
  {
    breaks: 'the server that served last is asked first',
    file: 'src/store/postgres/connection/servers.ts',
    from: 'this.#latest = server;',
    to: '',
    tests: SERVERS,
    named: 'asked first',
  },
  {
    breaks: 'a primary that comes back after a promotion is not used',
    file: 'src/store/postgres/connection/servers.ts',
    from: 'if (timeline < this.#timeline) {',
    to: 'if (timeline < 0) {',
    tests: SERVERS,
    named: 'not returned to',
  },
  {
    breaks: 'behind a pooler nothing depends on the session',
    file: 'src/store/postgres/connection/session.ts',
    from: 'pg_backend_pid() IS DISTINCT FROM $1::integer',
    to: 'pg_backend_pid() IS NULL AND $1::integer IS NULL',
    tests: SETTINGS,
    named: 'pool_mode = transaction',
  },
  {
    breaks: 'behind a pooler a transaction begins with the settings',
    file: 'src/store/postgres/connection/session.ts',
    from: "this.isPooled ? BEGIN_POOLED : 'BEGIN'",
    to: "'BEGIN'",
    tests: SETTINGS,
    named: 'pool_mode = transaction',
  },
  {
    breaks: 'behind a pooler nothing of a call was carried out before its COMMIT',
    file: 'src/store/postgres/connection/database.ts',
    from: 'if (session.isPooled) return session.transaction(run, commit);\n      commit();',
    to: 'commit();\n      if (session.isPooled) return session.transaction(run, commit);',
    tests: BROKEN,
    named: 'behind a pooler',
  },
  {
    breaks: 'the lock of the purge stays with no session of a pooler',
    file: 'src/store/postgres/upkeep/purge.ts',
    from: 'pg_try_advisory_xact_lock',
    to: 'pg_try_advisory_lock',
    tests: SETTINGS,
    named: 'pool_mode = transaction',
  },
];
