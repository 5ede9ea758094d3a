/** Commands of this version on the store of a service that has not been upgraded. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { startPostgres } from '../../../test/postgres.ts';
import { makeBefore } from '../../../test/store/postgres/before.ts';
import { lookAt } from '../../../test/store/postgres/rig.ts';
import { embeddedFile } from '../../../test/store/version-before/embedded.ts';
import facts from '../../../test/store/version-before/facts.json' with { type: 'json' };
import { SCHEMA_OF_0_2 } from '../../store/shared/schema-files.ts';
import { createWorkplace, type Workplace } from '../fixture.ts';

const COMMANDS = [
  ['doctor'],
  ['keys', 'list'],
  ['keys', 'create', '--init', '--name', 'k'],
  ['numbers', 'erase', '--destination', '+14155550123'],
  ['audit', 'verify'],
];
const NOT_UPGRADED = /the service on this store has not been upgraded to this version .*; start it once/;

/** A folder with the store of version 0.2 as its service left it. */
function createOldPlace(): Workplace & { readonly file: string } {
  const place = createWorkplace();
  mkdirSync(join(place.folder, 'data'));
  const file = join(place.folder, 'data/countersign.db');
  writeFileSync(file, embeddedFile());
  return { ...place, file };
}

const digest = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');
const schemaOf = (file: string) => {
  using db = new DatabaseSync(file, { readOnly: true });
  return db.prepare('PRAGMA user_version').get()?.user_version;
};
const SECRET = { COUNTERSIGN_SECRET: facts.secret };

test('on the embedded store, none changes a byte of it, and each says why', async () => {
  using place = createOldPlace();
  const before = digest(place.file);
  for (const command of COMMANDS) {
    const { status, stdout, stderr } = await place.run(command, SECRET);
    assert.equal(status, 1, command.join(' '));
    assert.match(`${stdout}${stderr}`, NOT_UPGRADED, command.join(' '));
    if (command[0] !== 'doctor') assert.equal(stderr.trim().split('\n').length, 2, stderr);
    assert.equal(digest(place.file), before, command.join(' '));
  }
  assert.equal(schemaOf(place.file), 10);
});

test('it is backed up, and neither copied elsewhere nor changed', async () => {
  using place = createOldPlace();
  const before = digest(place.file);
  assert.equal((await place.run(['backup', '--to', 'copy.db'], SECRET)).status, 0);
  assert.equal(schemaOf(join(place.folder, 'copy.db')), 10);
  const to = 'postgres://me@127.0.0.1:1/codes';
  const copied = await place.run(['store', 'copy', '--from', 'sqlite:data', '--to', to], SECRET);
  assert.equal(copied.status, 1);
  assert.match(copied.stderr, NOT_UPGRADED);
  assert.equal(digest(place.file), before);
});

test('where there is no store, --init still makes one', async () => {
  using place = createWorkplace();
  assert.equal((await place.run(['keys', 'create', '--init', '--name', 'k'])).status, 0);
  assert.ok(existsSync(join(place.folder, 'data/countersign.db')));
});

test('on a shared store, none migrates it, makes functions or partitions, and each says why', async (t) => {
  const postgres = await startPostgres();
  t.after(() => postgres.dispose());
  const url = await postgres.createDatabase();
  await makeBefore(url);
  const shared = { COUNTERSIGN_STORE_URL: url, ...SECRET };
  const look = () =>
    lookAt(
      url,
      `SELECT (SELECT max(number) FROM schema_migration) AS applied, (SELECT count(*)::int FROM pg_class) AS tables,
         (SELECT count(*)::int FROM pg_namespace WHERE nspname LIKE 'countersign%') AS schemas`,
    );
  const before = await look();
  assert.deepEqual(before[0]?.applied, SCHEMA_OF_0_2);
  using place = createWorkplace();
  for (const command of COMMANDS) {
    const { status, stdout, stderr } = await place.run(command, shared);
    assert.equal(status, 1, command.join(' '));
    assert.match(`${stdout}${stderr}`, NOT_UPGRADED, command.join(' '));
    assert.deepEqual(await look(), before, command.join(' '));
  }
});
