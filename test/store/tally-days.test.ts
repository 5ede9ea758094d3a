/** What is kept by the day is what hours and days add up to, in every column: after any write, and of what was there before. */
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { after, before, suite, type TestContext, test } from 'node:test';
import pg from 'pg';
import {
  DAY_WIDTH,
  FRESH_WIDTH,
  HOUR_WIDTH,
  startOf,
  WIDTHS,
} from '../../src/core/counting/tally-resolution.ts';
import { migrate as migratePostgres } from '../../src/store/postgres/schema/migrate.ts';
import { BIN_COLUMNS, MEASURES } from '../../src/store/shared/statistics.ts';
import { migrate as migrateSqlite } from '../../src/store/sqlite/schema/migrate.ts';
import { type Postgres, startPostgres } from '../postgres.ts';
import { makeTablesBefore } from './postgres/before.ts';
import { makeEmbeddedTables } from './version-before/embedded.ts';

/** Runs SQL that both stores understand. */
interface Sql {
  run(text: string): Promise<unknown>;
  rows(text: string): Promise<Record<string, unknown>[]>;
}

const BUCKET = ['account_id', 'test', 'channel', 'country', 'carrier'];
const DAYS = `at - at % ${DAY_WIDTH}`;
const TABLES = [
  {
    name: 'tally',
    key: [...BUCKET, 'key_id'],
    columns: Object.values(MEASURES),
    sums: [
      { name: 'tally_day', key: [...BUCKET, 'key_id'], at: DAYS, of: `width > ${FRESH_WIDTH}` },
      { name: 'tally_keyless_hour', key: BUCKET, at: 'at', of: `width = ${HOUR_WIDTH}` },
      { name: 'tally_keyless_day', key: BUCKET, at: DAYS, of: `width > ${FRESH_WIDTH}` },
      {
        name: 'tally_key_day',
        key: ['account_id', 'test', 'key_id'],
        at: DAYS,
        of: `width > ${FRESH_WIDTH}`,
      },
    ],
  },
  {
    name: 'latency_tally',
    key: [...BUCKET, 'stage'],
    columns: BIN_COLUMNS,
    sums: [{ name: 'latency_tally_day', key: [...BUCKET, 'stage'], at: DAYS, of: `width > ${FRESH_WIDTH}` }],
  },
];
type Table = (typeof TABLES)[number];

const below = (limit: number) => Math.floor(Math.random() * limit);

/** A row as the purge writes it; half of its counts are 0. Few buckets, so that most are met again. */
function upsert({ name, key, columns }: Table): string {
  const width = WIDTHS[below(WIDTHS.length)] ?? DAY_WIDTH;
  const at = startOf(below(3 * DAY_WIDTH), Math.max(width, DAY_WIDTH / 4));
  const values = [
    ...[width, at],
    ...key.map((column) => (column === 'test' ? (below(2) === 0 ? 'false' : 'true') : `'${below(2)}'`)),
    ...columns.map(() => Math.max(0, below(20) - 10)),
  ];
  const unique = ['width', 'at', ...key].join(', ');
  return `INSERT INTO ${name} AS held (${unique}, ${columns.join(', ')}) VALUES (${values.join(', ')})
    ON CONFLICT (${unique}) DO UPDATE SET ${columns.map((column) => `${column} = held.${column} + excluded.${column}`).join(', ')}`;
}

/** A bucket of all accounts. */
function remove({ name }: Table): string {
  const width = WIDTHS[below(WIDTHS.length)] ?? DAY_WIDTH;
  return `DELETE FROM ${name} WHERE width = ${width} AND at = ${startOf(below(3 * DAY_WIDTH), Math.max(width, DAY_WIDTH / 4))}`;
}

async function assertSums({ rows }: Sql, table: Table): Promise<void> {
  const { columns } = table;
  for (const { name, key, at, of } of table.sums) {
    const order = ['at', ...key].join(', ');
    const kept = await rows(`SELECT ${order}, ${columns.join(', ')} FROM ${name} ORDER BY ${order}`);
    const sums = columns.map((column) => `CAST(sum(${column}) AS bigint) AS ${column}`);
    const groups = [at, ...key].join(', ');
    const expected = await rows(
      `SELECT ${[`${at} AS at`, ...key, ...sums].join(', ')} FROM ${table.name} WHERE ${of}
       GROUP BY ${groups} ORDER BY ${groups}`,
    );
    const something = (row: Record<string, unknown>) => columns.some((column) => Number(row[column]) !== 0);
    assert.ok(kept.length > 0);
    assert.deepEqual(kept.filter(something).map(plain), expected.filter(something).map(plain), name);
  }
}

/** The stores answer 64-bit integers, and rows, in forms of their own. */
function plain(row: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.entries(row).map(([column, value]) => [column, String(value)]));
}

async function assertFollows(sql: Sql): Promise<void> {
  for (let round = 0; round < 8; round++) {
    for (const table of TABLES) {
      for (let i = 0; i < 40; i++) await sql.run(upsert(table));
      await assertSums(sql, table);
      for (let i = 0; i < 4; i++) await sql.run(remove(table));
      await assertSums(sql, table);
    }
  }
  // Emptied buckets leave nothing behind.
  for (const { name, sums } of TABLES) {
    await sql.run(`DELETE FROM ${name}`);
    for (const sum of sums) assert.deepEqual(await sql.rows(`SELECT * FROM ${sum.name}`), [], sum.name);
  }
}

/** `upgrade` brings a store of version 0.2.0 here. */
async function assertFills(sql: Sql, upgrade: () => unknown): Promise<void> {
  for (const table of TABLES) for (let i = 0; i < 100; i++) await sql.run(upsert(table));
  await upgrade();
  for (const table of TABLES) await assertSums(sql, table);
}

suite('in SQLite', () => {
  const runsIn = (db: DatabaseSync): Sql => {
    return { run: async (text) => db.exec(text), rows: async (text) => db.prepare(text).all() };
  };

  test('after any write', async () => {
    using db = new DatabaseSync(':memory:');
    migrateSqlite(db);
    await assertFollows(runsIn(db));
  });

  test('of what an older store holds', async () => {
    using db = new DatabaseSync(':memory:');
    makeEmbeddedTables(db);
    await assertFills(runsIn(db), () => migrateSqlite(db));
  });
});

suite('in PostgreSQL', () => {
  let postgres: Postgres;
  before(async () => {
    postgres = await startPostgres();
  });
  after(() => postgres.dispose());

  async function connect(t: TestContext, url: string) {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    t.after(() => client.end());
    const sql: Sql = {
      run: (text) => client.query(text),
      rows: async (text) => (await client.query(text)).rows,
    };
    return { sql, migrate: () => migratePostgres((use) => use(client)) };
  }

  test('after any write', async (t) => {
    const { sql, migrate } = await connect(t, await postgres.createDatabase());
    await migrate();
    await assertFollows(sql);
  });

  test('of what an older store holds', async (t) => {
    const url = await postgres.createDatabase();
    await makeTablesBefore(url);
    const { sql, migrate } = await connect(t, url);
    await assertFills(sql, migrate);
  });
});
