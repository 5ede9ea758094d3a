import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isWellFormedKey } from '../core/accounts/api-key-format.ts';
import { createWorkplace, type Workplace } from './fixture.ts';

const storeSaid = ({ folder }: Workplace) => `store: ${join(folder, 'data/countersign.db')}\n`;
const list = async (place: Workplace) => JSON.parse((await place.run(['keys', 'list', '--json'])).stdout);

test('keys are created, listed and revoked', async () => {
  using place = createWorkplace();
  const live = await place.run(['keys', 'create', '--init', '--name', 'web shop']);
  const other = await place.run(['keys', 'create', '--name', 'ci', '--test', '--account', 'acme']);
  const OF_ACCOUNT = /^of the account (\S+) \(acc_\w+\)\n$/m;
  assert.deepEqual([live.status, other.status], [0, 0]);
  assert.ok(live.stderr.startsWith(storeSaid(place)));
  assert.deepEqual(
    [live, other].map(({ stderr }) => OF_ACCOUNT.exec(stderr)?.[1]),
    ['default', 'acme'],
    'whose it is',
  );
  const [liveKey, testKey] = [live.stdout.trim(), other.stdout.trim()];
  assert.equal(live.stdout, `${liveKey}\n`, 'the key alone');
  assert.ok(isWellFormedKey(liveKey) && liveKey.startsWith('csk_live_'));
  assert.ok(isWellFormedKey(testKey) && testKey.startsWith('csk_test_'));

  const keys = await list(place);
  assert.deepEqual(
    keys.map(({ name, account, test, revoked_at }: Record<string, unknown>) => [
      name,
      account,
      test,
      revoked_at,
    ]),
    [
      ['web shop', 'default', false, null],
      ['ci', 'acme', true, null],
    ],
  );
  const table = (await place.run(['keys', 'list'])).stdout;
  assert.match(table, /^ID +PREFIX +NAME +ACCOUNT +TEST/);
  assert.ok(!table.includes(liveKey) && table.includes(liveKey.slice(0, 17)));

  const byId = await place.run(['keys', 'revoke', keys[0].id]);
  assert.deepEqual([byId.status, byId.stdout], [0, `revoked ${keys[0].prefix} (${keys[0].id})\n`]);
  assert.equal((await place.run(['keys', 'revoke', keys[1].prefix])).status, 0);
  assert.ok(
    (await list(place)).every(({ revoked_at }: Record<string, unknown>) => typeof revoked_at === 'string'),
  );
});

test('without a name, a key is of the first account, and none is made beside others', async () => {
  using place = createWorkplace();
  await place.run(['keys', 'create', '--init', '--name', 'web', '--account', 'acme']);
  const { status, stdout, stderr } = await place.run(['keys', 'create', '--name', 'production']);
  assert.deepEqual([status, stdout], [1, '']);
  assert.match(stderr, /there is no account default; say whose key it is with --account/);
  assert.equal((await list(place)).length, 1);
  const named = await place.run(['keys', 'create', '--name', 'production', '--account', 'default']);
  assert.equal(named.status, 0, 'who names it makes it');
  assert.equal((await place.run(['keys', 'create', '--name', 'next'])).status, 0);
  assert.deepEqual(
    (await list(place)).map(({ account }: Record<string, unknown>) => account),
    ['acme', 'default', 'default'],
  );
});

test('a generated key is a new one each time, and no store is made for it', async () => {
  using place = createWorkplace();
  const live = await place.run(['keys', 'generate']);
  const test = await place.run(['keys', 'generate', '--test']);
  assert.deepEqual([live.status, live.stderr, test.status], [0, '', 0]);
  const [liveKey = '', testKey = ''] = [live.stdout.trim(), test.stdout.trim()];
  assert.ok(isWellFormedKey(liveKey) && liveKey.startsWith('csk_live_'));
  assert.ok(isWellFormedKey(testKey) && testKey.startsWith('csk_test_'));
  assert.equal(existsSync(join(place.folder, 'data')), false);
});

test('a leaked key can be revoked by its full text, which is not repeated', async () => {
  using place = createWorkplace();
  const key = (await place.run(['keys', 'create', '--init', '--name', 'leaked'])).stdout.trim();
  const { status, stdout, stderr } = await place.run(['keys', 'revoke', key]);
  assert.equal(status, 0);
  assert.ok(!(stdout + stderr).includes(key));
  assert.notEqual((await list(place))[0].revoked_at, null);
});

test('failures are one line, without a stack', async () => {
  using place = createWorkplace();
  await place.makeStore();
  const unknown = await place.run(['keys', 'revoke', 'key_none']);
  assert.deepEqual([unknown.status, unknown.stdout], [1, '']);
  assert.match(unknown.stderr, /^store: .*\ncountersign: there is no such key; .*\n$/);
  writeFileSync(join(place.folder, 'file'), '');
  const broken = await place.run(['keys', 'create', '--init', '--name', 'k'], {
    COUNTERSIGN_DATA_DIR: './file',
  });
  assert.equal(broken.status, 1);
  assert.match(broken.stderr, /^(store: .*\n)?countersign: [^\n]+\n$/);
  assert.ok(!broken.stderr.includes('    at '), broken.stderr);
});
