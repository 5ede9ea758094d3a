import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { readProjectFile } from '../../../test/deploy/project.ts';
import { createWorkplace, type Workplace } from '../fixture.ts';

/** Two accounts, the first with two entries. */
async function fill(place: Workplace): Promise<void> {
  await place.makeStore({ account: 'default' });
  assert.equal((await place.run(['keys', 'create', '--name', 'second'])).status, 0);
  assert.equal((await place.run(['keys', 'create', '--name', 'theirs', '--account', 'acme'])).status, 0);
}

const verify = (place: Workplace, ...args: string[]) => place.run(['audit', 'verify', ...args]);

test('a log is verified, exported, and verified from the export and against what was noted', async () => {
  using place = createWorkplace();
  await fill(place);
  const all = await verify(place);
  assert.deepEqual([all.status, all.stderr], [0, `store: ${join(place.folder, 'data/countersign.db')}\n`]);
  const line = /^default: 2 entries, \S+Z to \S+Z; last (2:[0-9a-f]{64}@\S+Z)$/m.exec(all.stdout);
  assert.match(all.stdout, /^acme: 1 entry, .*; last 1:/m);
  const noted = line?.[1] ?? '';

  const again = await verify(place, '--account', 'default', '--expect', noted);
  assert.deepEqual([again.status, again.stdout.includes('; entry 2 is as noted')], [0, true]);
  assert.equal((await verify(place, '--account', 'acme', '--expect', noted)).status, 1);
  // As it was noted by a version without times.
  const [untimed = ''] = noted.split('@');
  assert.equal((await verify(place, '--account', 'default', '--expect', untimed)).status, 0);
  const [json] = JSON.parse((await verify(place, '--account', 'default', '--json')).stdout);
  assert.deepEqual([json.account, json.ok, json.entries, json.last], ['default', true, 2, noted]);

  const exported = await place.run(['audit', 'export', '--account', 'default']);
  assert.equal(exported.status, 0);
  place.write('log.json', exported.stdout);
  const file = await verify(place, '--file', 'log.json', '--expect', noted);
  assert.deepEqual([file.status, file.stderr], [0, '']);
  place.write('log.json', exported.stdout.replace('key.created', 'key.revoked'));
  const tampered = await verify(place, '--file', 'log.json');
  assert.equal(tampered.status, 1);
  assert.match(tampered.stdout, /^default: BROKEN at entry 1 \(aud_\w+, \S+Z\): its hash does not match/);

  // The way that the documentation shows to everybody else.
  const own = /```js\n([\s\S]*?)```/.exec(readProjectFile('docs/audit-log.md'))?.[1] ?? '';
  place.write('own.mjs', own);
  const check = () =>
    spawnSync(process.execPath, [join(place.folder, 'own.mjs'), join(place.folder, 'log.json')]);
  assert.notEqual(check().status, 0);
  place.write('log.json', exported.stdout);
  assert.equal(String(check().stdout), `2 entries, last ${noted}\n`);

  const csv = (await place.run(['audit', 'export', '--account', 'default', '--format', 'csv'])).stdout.split(
    '\r\n',
  );
  assert.equal(csv.length, 4);
  const none = ['audit', 'export', '--account', 'default', '--format', 'csv', '--to', '2020-01-01T00:00:00Z'];
  assert.equal((await place.run(none)).stdout.split('\r\n').length, 2);
});

test('tampering fails, and names the first entry at which it shows', async () => {
  using place = createWorkplace();
  await fill(place);
  {
    using db = new DatabaseSync(join(place.folder, 'data/countersign.db'));
    db.exec("UPDATE audit_entry SET who = 'Eve' WHERE subject LIKE 'second%'");
  }
  const { status, stdout, stderr } = await verify(place);
  assert.equal(status, 1);
  assert.match(stdout, /^default: BROKEN at entry 2 \(aud_\w+, \S+Z\): its hash does not match/m);
  assert.match(stdout, /^acme: 1 entry/m);
  assert.match(stderr, /not as it was written: the audit log of default$/m);
  assert.equal((await verify(place, '--account', 'acme')).status, 0);
  const [json] = JSON.parse((await verify(place, '--account', 'default', '--json')).stdout);
  assert.deepEqual([json.ok, json.entry.seq], [false, 2]);
});

test('what is wrong with the options is said', async () => {
  using place = createWorkplace();
  await fill(place);
  const link = `1:${'0'.repeat(64)}`;
  place.write('not.json', '{');
  for (const [args, said] of [
    [['verify', '--account', 'nobody'], /--account must be the name of an account/],
    [['verify', '--expect', link], /--expect needs --account/],
    [
      ['verify', '--account', 'default', '--expect', '57'],
      /--expect must be the number, the hash and the time/,
    ],
    [['verify', '--account', 'default', '--file', 'not.json'], /--account or --file, not both/],
    [['verify', '--file', 'not.json'], /not\.json cannot be verified: it is not an audit log/],
    [['export', '--account', 'default', '--format', 'xml'], /--format must be csv or json/],
    [['export', '--account', 'default', '--from', 'May'.repeat(3)], /--from must be a time/],
  ] as const) {
    const { status, stderr } = await place.run(['audit', ...args]);
    assert.equal(status, 1);
    assert.match(stderr, said);
  }
});
