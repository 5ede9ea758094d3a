/** Tables, functions and partitions: made by several at once, made when they are needed, dropped when they are old. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import pg from 'pg';
import { StoreUnusable } from '../../../src/core/errors/store-failure.ts';
import type { Progress } from '../../../src/core/reporting/progress.ts';
import type { Store } from '../../../src/store/port.ts';
import { ensureConfirmedIndex } from '../../../src/store/postgres/schema/confirmed-index.ts';
import { type Lend, migrate } from '../../../src/store/postgres/schema/migrate.ts';
import { ensurePartitions, partitionDayOf } from '../../../src/store/postgres/schema/partitions.ts';
import { openPostgresStore } from '../../../src/store/postgres/store.ts';
import { newestSchema, readUpgrades, SCHEMA_OF_0_2 } from '../../../src/store/shared/schema-files.ts';
import { type Postgres, startPostgres } from '../../postgres.ts';
import {
  DAY,
  FAILOVER,
  guessAt,
  issueOne,
  LAX,
  newVerification,
  settlement,
  tally,
} from '../contract/rig.ts';
import { DESCRIBE_POSTGRES } from '../described-schema.ts';
import { makeBefore } from './before.ts';
import { addressOf, lookAt, openNode, openNodes } from './rig.ts';

const UPGRADES = readUpgrades(new URL('../../../src/store/postgres/schema/', import.meta.url));
const NEWEST = newestSchema(UPGRADES);

suite('the schema in PostgreSQL', () => {
  let postgres: Postgres;
  before(async () => {
    postgres = await startPostgres();
  });
  after(() => postgres.dispose());

  const partitionsOf = async (url: string, table: string) => {
    const rows = await lookAt<{ name: string }>(
      url,
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = '${table}'::regclass ORDER BY 1`,
    );
    return rows.map(({ name }) => name);
  };
  const nameAt = (time: number) =>
    `verification_${new Date(time).toISOString().slice(0, 10).replaceAll('-', '')}`;

  /** Bounded: a day that is dropped too early is made again, and a purge would have no end. */
  const purgeAll = async (node: Store, now: number) => {
    for (let round = 0; await node.purge(now); round++) assert.ok(round < 100, 'the purge has an end');
  };

  test('five nodes that start at once on an empty database make it once', async (t) => {
    const url = await postgres.createDatabase();
    const nodes = await openNodes(t, url, 5);
    const outcomes = await Promise.all(nodes.map((node) => node.issue(newVerification())));
    assert.deepEqual(tally(outcomes), { issued: 5 });
    const made = await lookAt<{ number: number; schemas: string }>(
      url,
      `SELECT number, (SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'countersign%') AS schemas
       FROM schema_migration`,
    );
    assert.deepEqual(made, [{ number: NEWEST, schemas: '1' }]);
  });

  test('a start that was killed while it made the tables leaves none, and the next makes them', async (t) => {
    const url = await postgres.createDatabase();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    t.after(() => client.end());
    const killed = new Error('killed');
    const dying: pg.Client = Object.create(client, {
      query: {
        value: (...args: Parameters<typeof client.query>) =>
          args[0] === ('COMMIT' as never) ? Promise.reject(killed) : client.query(...args),
      },
    });
    await assert.rejects(
      migrate((use) => use(dying)),
      killed,
    );
    const tables = "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace";
    assert.deepEqual(await lookAt(url, tables), []);
    const [node] = await openNodes(t, url, 1);
    assert.ok(node);
    await issueOne(node);
  });

  test('the first start hears of the tables, and the next of nothing', async () => {
    const address = addressOf(await postgres.createDatabase());
    const reports: Progress[] = [];
    const open = () =>
      openPostgresStore({ address, ...LAX, onProgress: (progress) => void reports.push(progress) });
    for (let start = 0; start < 2; start++) await (await open()).close();
    assert.deepEqual(reports, [{ step: 'migrating the store', done: 0, total: 1 }]);
  });

  test('a schema of no release is refused, and nothing is changed', async () => {
    const [first] = UPGRADES;
    assert.ok(first);
    for (const schema of [SCHEMA_OF_0_2 + 1, first.number - 1]) {
      const url = await postgres.createDatabase();
      await makeBefore(url);
      await lookAt(url, `INSERT INTO schema_migration (number, name) VALUES (${schema}, '')`);
      const look = () =>
        lookAt(url, `SELECT max(number), (${DESCRIBE_POSTGRES}) AS described FROM schema_migration`);
      const before = await look();
      await assert.rejects(
        openNode(url),
        (error) =>
          error instanceof StoreUnusable &&
          error.message.includes(`schema ${schema}, which only versions between`),
      );
      assert.deepEqual(await look(), before);
    }
  });

  test('an upgrade indexes no day but today and later ones, and looks for senders in no other', async (t) => {
    const url = await postgres.createDatabase();
    await makeBefore(url);
    const now = Date.now();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await ensurePartitions(client, [now - DAY, now].map(partitionDayOf));
    await client.end();
    const [node] = await openNodes(t, url, 1);
    assert.ok(node);
    const send = async (createdAt: number, carrier: string) => {
      const v = await issueOne(node, { createdAt });
      await node.settle(settlement(v, FAILOVER, [{ carrier, reference: carrier, recipientTag: 'tag' }]));
      return v.accountId;
    };
    const sender = (carrier: string) => node.findSender({ carrier, recipientTags: ['tag'], now });
    await send(now - DAY, 'yesterday');
    const today = await send(now, 'today');
    const later = await send(now + 10 * DAY, 'later');
    assert.deepEqual(await Promise.all(['yesterday', 'today', 'later'].map(sender)), [
      undefined,
      today,
      later,
    ]);
    const bare = await lookAt<{ name: string }>(
      url,
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits
       WHERE inhparent = 'attempt'::regclass AND NOT EXISTS (
         SELECT FROM pg_indexes WHERE tablename = inhrelid::regclass::text AND indexdef LIKE '%recipient_tag%')`,
    );
    assert.deepEqual(
      bare.map((each) => each.name),
      [nameAt(now - DAY).replace('verification', 'attempt')],
    );
  });

  test('each day says by an index when a number was last confirmed, where somebody asks', async (t) => {
    const url = await postgres.createDatabase();
    await makeBefore(url);
    const now = Date.now();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    t.after(() => client.end());
    await ensurePartitions(client, [now - DAY, now].map(partitionDayOf));
    const [node] = await openNodes(t, url, 1);
    assert.ok(node);
    const made = "SELECT to_regclass('verification_confirmed') IS NOT NULL AS made";
    assert.deepEqual(await lookAt(url, made), [{ made: false }]);
    const lend: Lend = (use) => use(client);
    await Promise.all([ensureConfirmedIndex(lend), node.check()]);
    await ensureConfirmedIndex(lend);
    await issueOne(node, { createdAt: now + 10 * DAY });
    const days = await partitionsOf(url, 'verification');
    assert.ok(days.includes(nameAt(now - DAY)) && days.includes(nameAt(now + 10 * DAY)));
    // Small tables are read from end to end otherwise.
    await client.query('SET enable_seqscan = off');
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN SELECT max(confirmed_at) FROM verification
       WHERE destination_hash = ANY ('{a,b}'::text[]) AND confirmed_at IS NOT NULL`,
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    assert.equal(plan.match(/Index Cond: \(destination_hash = ANY/g)?.length, days.length, plan);
    const whole = 'SELECT indisvalid AS "isWhole" FROM pg_index';
    const indexes = await lookAt(url, `${whole} WHERE indexrelid = 'verification_confirmed'::regclass`);
    assert.deepEqual(indexes, [{ isWhole: true }]);
  });

  test('a database that a newer version has migrated still serves this one', async (t) => {
    const url = await postgres.createDatabase();
    await (await openNode(url)).close();
    await lookAt(url, "INSERT INTO schema_migration (number, name) VALUES (999, '0999-of-the-future.sql')");
    const [node] = await openNodes(t, url, 1);
    assert.ok(node);
    const v = await issueOne(node);
    assert.equal((await node.confirm(guessAt(v, 'right'))).kind, 'confirmed');
  });

  test('functions of another version are left alone', async (t) => {
    const url = await postgres.createDatabase();
    await lookAt(url, 'CREATE SCHEMA countersign_0123456789abcdef');
    await lookAt(
      url,
      "CREATE FUNCTION countersign_0123456789abcdef.issue() RETURNS text LANGUAGE sql AS 'SELECT 1::text'",
    );
    await openNodes(t, url, 1);
    const [old] = await lookAt<{ issue: string }>(url, 'SELECT countersign_0123456789abcdef.issue()');
    assert.equal(old?.issue, '1');
  });

  test('two installations share a database when each has a schema of its own', async (t) => {
    const url = await postgres.createDatabase();
    const { pathname } = new URL(url);
    const roles = ['north', 'south'].map((side) => `${side}_${randomBytes(4).toString('hex')}`);
    const urls = roles.map((role) => {
      const own = new URL(url);
      [own.username, own.password] = [role, role];
      return own.href;
    });
    for (const role of roles) {
      await lookAt(url, `CREATE ROLE ${role} LOGIN PASSWORD '${role}'`);
      await lookAt(url, `GRANT CREATE ON DATABASE ${pathname.slice(1)} TO ${role}`);
      await lookAt(url, `CREATE SCHEMA AUTHORIZATION ${role}`);
    }
    const [northern, southern] = await Promise.all(urls.map((each) => openNode(each)));
    t.after(async () => {
      await Promise.all([northern?.close(), southern?.close()]);
      for (const role of roles) {
        await lookAt(url, `DROP OWNED BY ${role}`);
        await lookAt(url, `DROP ROLE ${role}`);
      }
    });
    assert.ok(northern && southern);
    const v = await issueOne(northern);
    assert.equal((await southern.confirm(guessAt(v, 'right'))).kind, 'unknown');
    assert.equal((await northern.confirm(guessAt(v, 'right'))).kind, 'confirmed');
  });

  test('partitions are there ahead of their day, and made by need for any other', async (t) => {
    const url = await postgres.createDatabase();
    const [node, other] = await openNodes(t, url, 2);
    assert.ok(node && other);
    const now = Date.now();
    const names = await partitionsOf(url, 'verification');
    for (const days of [-1, 0, 1, 2, 3]) assert.ok(names.includes(nameAt(now + days * DAY)));
    const far = now + 50 * DAY;
    const calls = Array.from({ length: 40 }, (_, i) =>
      issueOne(i % 2 === 0 ? node : other, { createdAt: far + (i % 3) * DAY }),
    );
    for (const v of await Promise.all(calls)) {
      assert.equal((await node.confirm(guessAt(v, 'right'))).kind, 'confirmed');
    }
  });

  test('a lookup by id touches only the partition of its day', async (t) => {
    const url = await postgres.createDatabase();
    const [node] = await openNodes(t, url, 1);
    assert.ok(node);
    const v = await issueOne(node);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    t.after(() => client.end());
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN SELECT FROM verification WHERE id = '${v.id.slice(4)}'`,
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    assert.deepEqual(plan.match(/on verification_\d{8}/g), [`on ${nameAt(v.createdAt)}`]);
  });

  test('retention drops whole days, while the node goes on', async (t) => {
    const url = await postgres.createDatabase();
    const [node] = await openNodes(t, url, 1);
    assert.ok(node);
    const now = Date.now();
    for (let days = 28; days <= 34; days++) {
      const v = await issueOne(node, { createdAt: now - days * DAY });
      await node.settle(settlement(v, FAILOVER, [{}]));
    }
    const [fresh] = await Promise.all([
      Promise.all(Array.from({ length: 200 }, () => issueOne(node))),
      purgeAll(node, now),
    ]);
    const oldest = (await partitionsOf(url, 'verification'))[0] ?? '';
    assert.equal(oldest, nameAt(now - LAX.retention.verifications), 'a day goes when all of it is past');
    const tables = await lookAt<{ relname: string }>(
      url,
      "SELECT relname FROM pg_class WHERE relkind = 'r' AND relname ~ '^(verification|attempt)_\\d{8}$' ORDER BY 1",
    );
    assert.ok(
      tables.every(({ relname }) => relname.slice(-8) >= oldest.slice(-8)),
      'nothing is left of them',
    );
    const confirmed = await Promise.all(fresh.map((v) => node.confirm(guessAt(v, 'right'))));
    assert.deepEqual(tally(confirmed), { confirmed: 200 });
  });

  test('a partition that was detached and not dropped, for the node died, goes with the next purge', async (t) => {
    const url = await postgres.createDatabase();
    const [node] = await openNodes(t, url, 1);
    assert.ok(node);
    const now = Date.now();
    await issueOne(node, { createdAt: now - 40 * DAY });
    const name = nameAt(now - 40 * DAY);
    await lookAt(url, `ALTER TABLE verification DETACH PARTITION ${name} CONCURRENTLY`);
    await purgeAll(node, now);
    const [left] = await lookAt<{ gone: boolean }>(url, `SELECT to_regclass('${name}') IS NULL AS gone`);
    assert.equal(left?.gone, true);
  });
});
