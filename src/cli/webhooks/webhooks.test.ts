import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWorkplace } from '../fixture.ts';

const SECRET = 'a secret of the tests, which is long enough for all';
const CONFIG = { COUNTERSIGN_CONFIG: 'countersign.yaml' };
const URL = 'https://hooks.invalid/countersign?token=precious';

test('endpoints are added, shown, changed, rotated and removed; a mistake changes nothing and is named', async () => {
  using place = createWorkplace();
  place.write('countersign.yaml', JSON.stringify({ secret: SECRET }));
  await place.makeStore();
  const webhooks = (...args: string[]) => place.run(['webhooks', ...args], CONFIG);
  const list = async () => JSON.parse((await webhooks('list', '--json')).stdout);
  const refused = async (words: RegExp, ...args: string[]) => {
    const { status, stdout, stderr } = await webhooks(...args);
    assert.deepEqual([status, stdout], [1, ''], stderr);
    assert.match(stderr, words);
  };
  assert.match((await webhooks('list')).stderr, /has no endpoints; `webhooks add URL` adds one/);

  const types = 'verification.confirmed, delivery.failed';
  const added = await webhooks('add', URL, '--types', types);
  assert.match(added.stdout, /^whsec_[A-Za-z0-9+/]{43}=\n$/, 'only the secret');
  const [, id = ''] = /^added (whk_[0-9a-f]{32});/m.exec(added.stderr) ?? [];
  assert.equal((await webhooks('add', URL, '--full-numbers')).status, 0);
  const rest = { state: 'unused', failing_since: null, last_success_at: null, last_failure_at: null };
  const nothing = { last_failure: null, disabled_at: null, disabled_why: null, previous_secret_until: null };
  const [{ created_at: at, ...first }, second] = await list();
  assert.deepEqual(first, {
    ...{ id, url: URL, types: ['verification.confirmed', 'delivery.failed'], full_numbers: false },
    ...{ ...rest, ...nothing },
  });
  assert.ok(Date.parse(at) <= Date.now());
  assert.deepEqual([second.types, second.full_numbers], [[], true]);
  assert.match(
    (await webhooks('list')).stdout,
    /^ID +URL +STATE +TYPES +NUMBERS\nwhk_\S+ +https:\S+ +unused +verification\.confirmed,delivery\.failed +masked\n/,
  );
  assert.equal((await webhooks('secret', id)).stdout, added.stdout);

  assert.equal((await webhooks('change', id, '--types', 'all', '--full-numbers')).stdout, 'changed\n');
  const rotated = await webhooks('rotate', id);
  assert.match(rotated.stdout, /^whsec_\S+\n$/);
  assert.notEqual(rotated.stdout, added.stdout);
  assert.match(rotated.stderr, /until 20\S+Z, messages are signed with the previous secret, too/);
  assert.equal((await webhooks('disable', id)).stdout, 'disabled\n');
  await refused(/disabled, so nothing is sent to it; `webhooks enable` changes that/, 'test', id);
  const shown = (await webhooks('show', id)).stdout;
  assert.match(shown, /^id: whk_.*\nurl: https:.*\nstate: disabled\ntypes: all\nfull_numbers: true\n/);
  assert.match(shown, /\nprevious_secret_until: 20/);
  assert.ok(!shown.includes(added.stdout.trim()) && !shown.includes(rotated.stdout.trim()));
  assert.equal((await webhooks('enable', id)).stdout, 'enabled\n');
  const since = ['--since', '2026-11-02T00:00:00Z'];
  assert.equal((await webhooks('replay', id, ...since)).stdout, 'messages that are sent again: 0\n');

  const where = /the address must be on the public Internet, or in one of `webhooks.privateNetworks`/;
  await refused(where, 'add', 'https://10.0.0.1/');
  await refused(/there is no account named acme/, 'add', URL, '--account', 'acme');
  await refused(
    /--types must be `all`, or some of verification\.requested, /,
    'add',
    URL,
    '--types',
    'confirmed',
  );
  await refused(/--url must be an https address \S.*; nothing was changed/, 'change', id, '--url', 'nowhere');
  await refused(
    /expected --url, --types, --full-numbers or --masked-numbers; nothing was changed/,
    'change',
    id,
  );
  await refused(/not both; nothing was changed/, 'change', id, '--full-numbers', '--masked-numbers');
  await refused(/--since must be a time such as/, 'replay', id, '--since', 'yesterday');
  const until = ['--until', '2026-11-01T00:00:00Z'];
  await refused(/--until must be later than --since/, 'replay', id, ...since, ...until);
  await refused(/it is not disabled; nothing was changed/, 'enable', id);
  assert.equal((await webhooks('remove', id)).stdout, 'removed\n');
  await refused(/there is no such endpoint; `webhooks list` shows all ids of an account/, 'show', id);
});
