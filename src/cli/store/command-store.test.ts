import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { startPostgres } from '../../../test/postgres.ts';
import { createWorkplace } from '../fixture.ts';

const COMMANDS = [
  ['keys', 'create', '--name', 'k'],
  ['keys', 'list'],
  ['keys', 'revoke', 'key_none'],
  ['portal', 'invite', '--email', 'a@example.com'],
  ['portal', 'reset', '--email', 'a@example.com'],
  ['numbers', 'erase', '--destination', '+14155550123'],
  ['route', 'explain', '+14155550123'],
  ['block', 'list'],
  ['block', 'export'],
  ['guard', 'rules'],
  ['webhooks', 'list'],
  ['audit', 'verify'],
  ['doctor'],
];

test('without a store a command says so, and creates none', async () => {
  using place = createWorkplace();
  for (const command of [...COMMANDS, ['backup', '--to', 'backup.db']]) {
    const { status, stdout, stderr } = await place.run(command);
    const said = stdout + stderr;
    assert.equal(status, 1, command.join(' '));
    assert.match(stderr, /^store: .*data\/countersign\.db$/m, command.join(' '));
    assert.match(
      said,
      /there is no store in .*data; run this with the configuration and the environment of the service/,
    );
    assert.doesNotMatch(said, /csk_live/);
    assert.ok(!existsSync(join(place.folder, 'data')), command.join(' '));
  }
});

test('a command creates one if told to, and the others find it', async () => {
  using place = createWorkplace();
  const made = await place.run(['keys', 'create', '--init', '--name', 'k']);
  assert.equal(made.status, 0);
  assert.match(made.stderr, /^store: .*\nof the account default \(acc_[0-9a-f]{32}\)\n$/);
  assert.ok(made.stderr.startsWith(`store: ${join(place.folder, 'data/countersign.db')}\n`));
  assert.match((await place.run(['keys', 'list'])).stdout, /csk_live_/);
  const elsewhere = await place.run(['keys', 'list'], { COUNTERSIGN_DATA_DIR: 'elsewhere' });
  assert.equal(elsewhere.status, 1);
  assert.match(elsewhere.stderr, /there is no store in .*elsewhere;/);
});

test('nor in a database, unless it is told to', async () => {
  const postgres = await startPostgres();
  await using _ = { [Symbol.asyncDispose]: () => postgres.dispose() };
  const url = await postgres.createDatabase();
  await using client = await connect(url);
  const countTables = async () => {
    const { rows } = await client.query(
      "SELECT count(*)::int AS n FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace WHERE nspname !~ '^pg_|^information_schema$'",
    );
    return rows[0].n;
  };
  using place = createWorkplace();
  const shared = { COUNTERSIGN_STORE_URL: url, COUNTERSIGN_SECRET: 'e81f5c0a97d3264bb0c2f7716d94a53e' };
  const { host, pathname, password } = new URL(url);
  for (const command of COMMANDS) {
    const { status, stdout, stderr } = await place.run(command, shared);
    const said = stdout + stderr;
    assert.equal(status, 1, command.join(' '));
    assert.ok(said.includes(`there is no store in PostgreSQL ${host}${pathname}; run this with`), said);
    assert.ok(!said.includes(password), command.join(' '));
    assert.doesNotMatch(said, /csk_live/);
    assert.equal(await countTables(), 0, command.join(' '));
  }
  assert.equal((await place.run(['keys', 'create', '--init', '--name', 'k'], shared)).status, 0);
  assert.match((await place.run(['keys', 'list'], shared)).stdout, /csk_live_/);
});

test('backup and restore refuse a database, and do not mistake files beside it for the store', async () => {
  using place = createWorkplace();
  await place.makeStore();
  assert.equal((await place.run(['backup', '--to', 'first.db'])).status, 0);
  const shared = {
    COUNTERSIGN_STORE_URL: 'postgres://me:hunter22@db.example.com/codes?sslmode=verify-full',
    COUNTERSIGN_SECRET: 'e81f5c0a97d3264bb0c2f7716d94a53e',
  };
  for (const [command, instead] of [
    [['backup', '--to', 'second.db'], /pg_dump/],
    [['restore', '--from', 'first.db', '--replace'], /pg_dump/],
  ] as const) {
    const { status, stdout, stderr } = await place.run(command, shared);
    assert.deepEqual([status, stdout], [1, '']);
    assert.match(
      stderr,
      /store\.url is set: this command does not work on PostgreSQL db\.example\.com\/codes; /,
    );
    assert.match(stderr, instead);
    assert.doesNotMatch(stderr, /hunter22/);
  }
  assert.ok(!existsSync(join(place.folder, 'second.db')));
});

async function connect(url: string): Promise<pg.Client & AsyncDisposable> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}
