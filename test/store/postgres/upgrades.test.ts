/** An upgrade beside nodes of the version before, which go on being answered while it lasts. */
import assert from 'node:assert/strict';
import { after, before, suite, type TestContext, test } from 'node:test';
import pg from 'pg';
import { verifyAuditLog } from '../../../src/accounts/audit-log/verify.ts';
import { StoreUnavailable } from '../../../src/core/errors/store-failure.ts';
import { type Lend, migrate } from '../../../src/store/postgres/schema/migrate.ts';
import { readUpgrades, SCHEMA_OF_0_2 } from '../../../src/store/shared/schema-files.ts';
import { type Postgres, startPostgres } from '../../postgres.ts';
import { DESCRIBE_POSTGRES } from '../described-schema.ts';
import { ISSUE, makeBefore } from './before.ts';
import { lookAt, openNode } from './rig.ts';

const UPGRADES = readUpgrades(new URL('../../../src/store/postgres/schema/', import.meta.url));
/** Several batches. */
const ENTRIES = 4_001;

/** What calls of nodes do to tables, each in the order of one of them; beside ISSUE. */
const CLAIM = 'SELECT FROM delivery LIMIT 1 FOR UPDATE SKIP LOCKED';
const SETTLE = `
  INSERT INTO attempt (verification_id, fence, position, carrier, started_at, ended_at, outcome)
  SELECT id, 0, 0, 'c', 0, 0, 'accepted' FROM verification LIMIT 1 ON CONFLICT DO NOTHING`;
const CONFIRM = `UPDATE verification SET guesses_left = guesses_left
  WHERE id IN (SELECT id FROM verification LIMIT 1 FOR UPDATE SKIP LOCKED)`;
const WAITING = `SELECT FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = 'countersign' AND wait_event_type = 'Lock'`;

suite('an upgrade beside nodes of the version before', () => {
  let postgres: Postgres;
  let original: string;
  /** What a new database has. */
  let fresh: object;
  before(async () => {
    postgres = await startPostgres();
    const schema = postgres.schema ?? (await postgres.createDatabase());
    if (postgres.schema === undefined) await (await openNode(schema)).close();
    fresh = await described(schema);
    original = await postgres.createDatabase();
    await makeBefore(original, ENTRIES);
  });
  after(() => postgres.dispose());
  const databaseOfBefore = () => postgres.createDatabase(original);

  async function connect(t: TestContext, url: string): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    t.after(() => client.end());
    // As long as a node waits for a statement.
    await client.query('SET statement_timeout = 3000');
    return client;
  }

  function upgrade(t: TestContext, url: string) {
    let isOver = false;
    const opening = openNode(url).finally(() => {
      isOver = true;
    });
    opening.catch(() => {});
    t.after(() =>
      opening.then(
        (store) => store.close(),
        () => {},
      ),
    );
    return { opening, isOver: () => isOver };
  }

  test('no call that holds one table and needs another is ended for a deadlock', async (t) => {
    const url = await databaseOfBefore();
    const [call, looker] = [await connect(t, url), await connect(t, url)];
    await call.query(`BEGIN; ${CLAIM}`);
    const { opening, isOver } = upgrade(t, url);
    while (!isOver() && (await looker.query(WAITING)).rowCount === 0);
    for (const statement of [SETTLE, CONFIRM, 'COMMIT']) await call.query(statement);
    await opening;
  });

  test('while it waits for a table, calls that use others are answered, and those that use it after a moment', async (t) => {
    const url = await databaseOfBefore();
    const [call, looker, holder] = [await connect(t, url), await connect(t, url), await connect(t, url)];
    await holder.query('BEGIN; LOCK TABLE audit_entry IN ACCESS SHARE MODE');
    const { opening, isOver } = upgrade(t, url);
    const isTried = "SELECT FROM pg_locks WHERE relation = 'audit_entry'::regclass AND NOT granted";
    for (let tries = 0; tries < 3; tries++) {
      while (!isOver() && (await looker.query(isTried)).rowCount === 0);
      for (const statement of [ISSUE, CLAIM, SETTLE, CONFIRM]) await call.query(statement);
      // Behind the upgrade, which gives up waiting.
      await call.query('SELECT FROM audit_entry LIMIT 1');
      assert.equal(isOver(), false);
    }
    await holder.query('COMMIT');
    await opening;
  });

  test('calls beside it are answered, every one, also while it works on data', async (t) => {
    const url = await databaseOfBefore();
    const { opening, isOver } = upgrade(t, url);
    const callers = [[`${ISSUE}; ${CLAIM}`], [CLAIM, SETTLE, CONFIRM], [CONFIRM, SETTLE], [CLAIM]];
    await Promise.all(
      callers.map(async (statements) => {
        const client = await connect(t, url);
        do {
          await client.query('BEGIN');
          for (const statement of statements) await client.query(statement);
          await client.query('COMMIT');
        } while (!isOver());
      }),
    );
    const store = await opening;
    for (const account of ['a', 'b']) assert.ok((await verifyAuditLog(store, account, Date.now())).ok);
  });

  test('it gives up waiting with a reason, and the next start goes on where it was', async (t) => {
    const url = await databaseOfBefore();
    const [client, holder] = [await connect(t, url), await connect(t, url)];
    await holder.query('BEGIN; LOCK TABLE audit_entry IN ACCESS SHARE MODE');
    const tried = migrate((use) => use(client), undefined, { triesMs: 0 });
    await assert.rejects(tried, (error) => {
      assert.ok(error instanceof StoreUnavailable);
      assert.match(error.message, /waits for a table that a long transaction holds.*the next start goes on/);
      return true;
    });
    const [row] = await lookAt<{ applied: number }>(url, 'SELECT applied FROM schema_migration_step');
    assert.ok(row !== undefined && row.applied > 0);
    await holder.query('COMMIT');
    await assertUpgraded(t, url);
  });

  test('killed after any of its transactions, the next start goes on', async (t) => {
    const url = await databaseOfBefore();
    const client = await connect(t, url);
    const killed = new Error('killed');
    for (let starts = 0, isUpgraded = false; !isUpgraded; starts++) {
      assert.ok(starts < 1_000);
      // Two that look, and two that change something: a start that found the first of them done must get further.
      let transactions = 0;
      const lend: Lend = async (use) => {
        if (++transactions > 4) throw killed;
        return await use(client);
      };
      isUpgraded = await migrate(lend).then(
        () => true,
        (error) => assert.equal(error, killed) ?? false,
      );
    }
    await assertUpgraded(t, url);
  });

  test('several nodes that begin it at once are all served, and it is done once', async (t) => {
    const url = await databaseOfBefore();
    await Promise.all([upgrade(t, url), upgrade(t, url), upgrade(t, url)].map(({ opening }) => opening));
    await assertUpgraded(t, url);
  });

  test('none of its transactions shuts calls out of two tables', async (t) => {
    const client = await connect(t, await databaseOfBefore());
    const held: string[] = [];
    const lend: Lend = async (use) => {
      const { rows } = await client.query('SELECT oid FROM pg_class');
      const there = rows.map(({ oid }) => oid);
      const query = client.query.bind(client);
      const watched: pg.Client = Object.create(client, {
        query: {
          async value(...args: Parameters<typeof client.query>) {
            if (args[0] === ('COMMIT' as never)) {
              const { rows } = await query(STRONG_LOCKS, [there]);
              if (rows.length > 1) held.push(rows.map(({ name }) => name).join(' and '));
            }
            return await query(...args);
          },
        },
      });
      return await use(watched);
    };
    await migrate(lend);
    assert.deepEqual(held, []);
  });

  /** Tables that were there before, partitions as their parent, under a lock that calls wait for. */
  const STRONG_LOCKS = `
    SELECT DISTINCT coalesce(inhparent, relation)::regclass::text AS name
    FROM pg_locks JOIN pg_class ON pg_class.oid = relation LEFT JOIN pg_inherits ON inhrelid = relation
    WHERE pid = pg_backend_pid() AND relkind IN ('r', 'p') AND relation = ANY ($1)
      AND mode IN ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')`;

  /** Everything is there once, as in a new database, and nothing that only the upgrade needed. */
  async function assertUpgraded(t: TestContext, url: string): Promise<void> {
    const store = await openNode(url);
    t.after(() => store.close());
    for (const account of ['a', 'b']) {
      const verdict = await verifyAuditLog(store, account, Date.now());
      assert.ok(verdict.ok);
      assert.equal(verdict.facts.entries, Math.floor(ENTRIES / 2) + (account === 'b' ? 1 : 0));
    }
    assert.deepEqual(await described(url), fresh);
    const applied = await lookAt(
      url,
      `SELECT name FROM schema_migration WHERE number > ${SCHEMA_OF_0_2} ORDER BY number`,
    );
    assert.deepEqual(
      applied,
      UPGRADES.map(({ name }) => ({ name })),
    );
    assert.equal((await lookAt(url, 'SELECT FROM schema_migration_step')).length, 0);
  }
});

async function described(url: string): Promise<object> {
  const [row] = await lookAt<{ described: object }>(url, DESCRIBE_POSTGRES);
  assert.ok(row);
  return row.described;
}
