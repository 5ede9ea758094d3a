import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { issueOne, LAX } from '../../../test/store/contract/rig.ts';
import { Keyring } from '../../core/secrets/keyring.ts';
import { openSqliteStore } from '../../store/sqlite/store.ts';
import { createWorkplace, type Workplace } from '../fixture.ts';

const SECRET = 'a secret of the tests, which is long enough for all';
const NUMBER = '+4915112345678';

test('numbers and ranges are put on the list of an account, listed masked, and taken off', async () => {
  using place = createWorkplace();
  place.write('countersign.yaml', JSON.stringify({ secret: SECRET }));
  const block = (...args: string[]) => place.run(['block', ...args], CONFIG);
  await place.makeStore();

  assert.equal(
    (await block('add', NUMBER, '+49 151\u200b/12345678', '+4915112345679')).stdout,
    'added 2; 1 already on the list\n',
  );
  assert.equal((await block('add', '--range', '+88213')).stdout, 'added 1\n');
  const listed = await block('list', '--json');
  assert.deepEqual(
    JSON.parse(listed.stdout).map(({ kind, entry, added_by }: Record<string, unknown>) => [
      kind,
      entry,
      added_by,
    ]),
    [
      ['range', '+88213', 'person'],
      ['number', '+49•••••••••79', 'person'],
      ['number', '+49•••••••••78', 'person'],
    ],
  );
  assert.ok(!listed.stdout.includes('12345'));

  assert.equal((await block('remove', NUMBER)).stdout, 'removed\n');
  assert.match((await block('remove', NUMBER)).stderr, /it is not on the list of the account default/);
  assert.equal((await block('remove', '--range', '+88213')).stdout, 'removed\n');
  assert.match((await block('list')).stdout, /^KIND +ENTRY .*\nnumber +\+49•+79 /);
});

test('a list that is brought in may have a byte order mark, and lines of nothing that is seen', async () => {
  using place = createWorkplace();
  place.write('countersign.yaml', JSON.stringify({ secret: SECRET }));
  await place.makeStore();
  const lines = ['\ufeff\u202a+49 151/12345678\u202c', '', ' \u200b', '\u00ad+4915112345679\ufeff', '\u2060'];
  assert.equal((await place.run(['block', 'add'], CONFIG, lines.join('\r\n'))).stdout, 'added 2\n');
  const ranges = await place.run(['block', 'add', '--range'], CONFIG, '\ufeff+882 13\n\ufe0f+882\u200b16\n');
  assert.equal(ranges.stdout, 'added 2\n');
});

test('a mistake changes nothing, and is named without being repeated', async () => {
  using place = createWorkplace();
  place.write('countersign.yaml', JSON.stringify({ secret: SECRET }));
  await place.makeStore();
  const refused = async (words: RegExp, ...args: string[]) => {
    const { status, stdout, stderr } = await place.run(['block', ...args], CONFIG);
    assert.deepEqual([status, stdout], [1, '']);
    assert.match(stderr, words);
    assert.ok(!stderr.includes('12345'));
  };
  await refused(/number 2 is not a full number/, 'add', NUMBER, '0151 12345');
  await refused(/range 1 must be the beginning of numbers/, 'add', '--range', '12345');
  await refused(/there is no account named nobody/, 'add', NUMBER, '--account', 'nobody');
  assert.match(
    (await place.run(['block', 'list'], CONFIG)).stderr,
    /the account default sends to every number/,
  );
});

test('with a secret that is not the store’s nothing is put on a list, where the service would not find it', async () => {
  using place = createWorkplace();
  place.write('countersign.yaml', JSON.stringify({ secret: SECRET }));
  await place.makeStore();
  const store = await openSqliteStore({ dataDir: join(place.folder, 'data'), exclusive: false, ...LAX });
  const destinationSealed = new Keyring(SECRET).seal(NUMBER, 'as the service does');
  await issueOne(store, { destinationSealed });
  await store.close();
  const add = ['block', 'add', NUMBER];
  const other = { ...CONFIG, COUNTERSIGN_SECRET: 'another secret, which is long enough for all' };
  const { status, stderr } = await place.run(add, other);
  assert.equal(status, 1);
  assert.match(stderr, /the secret of this configuration does not open the store/);
  assert.match((await place.run(['block', 'list'], CONFIG)).stderr, /sends to every number/);
  assert.equal((await place.run(add, CONFIG)).stdout, 'added 1\n');
});

const CONFIG: Parameters<Workplace['run']>[1] = { COUNTERSIGN_CONFIG: 'countersign.yaml' };
