import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWorkplace } from '../fixture.ts';

test('an account is renamed, also to a name that owners cannot give, and keeps its settings', async () => {
  using place = createWorkplace();
  place.write('accounts.yaml', 'accounts: { shop: { settings: { brand: Acme } }, other: {} }');
  assert.equal((await place.run(['accounts', 'apply', 'accounts.yaml', '--yes', '--init'])).status, 0);
  const rename = (...names: string[]) => place.run(['accounts', 'rename', ...names]);
  const done = await rename('shop', 'default');
  assert.equal(done.status, 0, done.stderr);
  assert.match(done.stdout, /^shop is called default now \(acc_\w+\)\n$/);
  const { stdout } = await place.run(['accounts', 'export', '--account', 'default']);
  assert.match(stdout, /brand: Acme/);
  const log = await place.run(['audit', 'export', '--account', 'default']);
  assert.match(log.stdout, /settings\.changed.*name: default/);
  for (const [names, why] of [
    [['shop', 'late'], /no account of that name/],
    [['default', 'other'], /another account has the new name/],
    [['default', ' '], /the new name must have/],
    [['default', 'x'.repeat(81)], /at most 80 characters/],
  ] as const) {
    const refused = await rename(...names);
    assert.deepEqual([refused.status, refused.stdout], [1, '']);
    assert.match(refused.stderr, why);
  }
});
