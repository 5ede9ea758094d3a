import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWorkplace } from '../fixture.ts';

const SECRET = 'a secret of the tests, which is long enough for all';
const CONFIG = { COUNTERSIGN_CONFIG: 'countersign.yaml' };

test('rules are made, listed with numbers masked, and lifted; a mistake changes nothing and is named', async () => {
  using place = createWorkplace();
  place.write('countersign.yaml', JSON.stringify({ secret: SECRET, guard: { mode: 'observe' } }));
  await place.makeStore();
  const guard = (...args: string[]) => place.run(['guard', ...args], CONFIG);

  const denied = await guard(
    'deny',
    '--range',
    '+99899394',
    '--until',
    '2999-01-01T00:00:00Z',
    '--reason',
    'pumped',
  );
  assert.match(denied.stdout, /^grl_[0-9a-f]{32}\n$/);
  assert.doesNotMatch(denied.stderr, /observe/);
  const account = ['--in-account', 'default', '--reason', 'asked us'];
  assert.equal((await guard('allow', '--number', '+4915112345678', ...account)).status, 0);
  const listed = await guard('rules', '--json');
  assert.ok(!listed.stdout.includes('15112345'));
  const rest = { made_by: 'command line' };
  assert.deepEqual(
    JSON.parse(listed.stdout).map(({ id: _, made_at: __, ...shown }: Record<string, unknown>) => shown),
    [
      {
        ...{ action: 'allow', of: 'number', value: '+49•••••••••78', in_account: 'default', until: null },
        ...{ reason: 'asked us', ...rest },
      },
      {
        ...{ action: 'deny', of: 'range', value: '+99899394', in_account: null },
        ...{ until: '2999-01-01T00:00:00.000Z', reason: 'pumped', ...rest },
      },
    ],
  );
  const country = await guard('deny', '--country', 'br', '--reason', 'pumped');
  assert.doesNotMatch(country.stderr, /count as/);
  const islands = await guard('deny', '--country', 'AX', '--reason', 'pumped');
  assert.match(islands.stderr, /mobile numbers of AX count as FI/);
  assert.equal((await guard('lift', islands.stdout.trim())).stdout, 'lifted\n');
  assert.equal((await guard('lift', country.stdout.trim())).stdout, 'lifted\n');
  assert.equal((await guard('lift', denied.stdout.trim())).stdout, 'lifted\n');
  assert.match(
    (await guard('rules')).stdout,
    /^ID +ACTION .*\ngrl_\S+ +allow +number +\S+ +default +- +asked us[^\n]*\n$/,
  );

  const refused = async (words: RegExp, ...args: string[]) => {
    const { status, stdout, stderr } = await guard(...args);
    assert.deepEqual([status, stdout], [1, '']);
    assert.match(stderr, words);
  };
  const reason = ['--reason', 'pumped'];
  await refused(
    /expected one of --range, .*nothing was changed/,
    'deny',
    '--range',
    '+998',
    '--key',
    'k',
    ...reason,
  );
  await refused(/--country is of no use: numbers of EH count as MA/, 'deny', '--country', 'EH', ...reason);
  await refused(/--country must be .*such as BR; did you mean GB\?/, 'deny', '--country', 'uk', ...reason);
  await refused(/--country must be a country/, 'deny', '--country', 'Brazil', ...reason);
  await refused(/--until is needed: a pause has an end/, 'pause', '--range', '+998', ...reason);
  await refused(/--account must be the name of an account/, 'deny', '--account', 'nobody', ...reason);
});
