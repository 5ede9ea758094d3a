import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from 'yaml';
import { isWellFormedKey } from '../../core/accounts/api-key-format.ts';
import { createWorkplace, type Workplace } from '../fixture.ts';

const FILE = `accounts:
  shop:
    settings:
      brand: Shop
      sends_per_destination: [3/10m]
      countries: [FR, DE]
      budgets: [account 50 per day]
      guard: observe
      twilio: true
    keys:
      checkout:
        restrictions:
          channels: [sms]
          sources: [192.0.2.0/24]
        expires_at: 2090-01-01T00:00:00Z
        custom_codes: true
      ci: { test: true }
    members:
      Ada@Example.com: owner
      bob@example.com: developer
  lab: {}
`;

const apply = (place: Workplace, text: string, ...options: string[]) => {
  place.write('accounts.yaml', text);
  return place.run(['accounts', 'apply', 'accounts.yaml', ...options]);
};
const exported = async (place: Workplace) => (await place.run(['accounts', 'export'])).stdout;
const NO_WORDS = 'There are no words for xx';
/** What follows on the line that names the store. */
const said = (stderr: string) => stderr.split('\n').slice(1, -1);

const PLAN = [
  'shop: new account',
  'shop: settings: brand: Shop; sends per destination: 3/10m; countries: DE, FR; budgets: account 50 per day; guard: observe; Twilio Verify: on',
  'shop: new live key checkout: expires: 2090-01-01T00:00:00.000Z; channels: sms; countries: any; sources: 192.0.2.0/24; custom codes: allowed',
  'shop: new test key ci',
  'shop: invite ada@example.com as owner',
  'shop: invite bob@example.com as developer',
  'lab: new account',
];

test('a plan is told and nothing is changed, until it is said', async () => {
  using place = createWorkplace();
  for (const options of [['--init'], ['--plan']]) {
    const planned = await apply(place, FILE, ...options);
    assert.equal(planned.status, 0, planned.stderr);
    assert.deepEqual(planned.stdout.trim().split('\n'), [
      ...PLAN,
      '7 changes to make; nothing is changed without --yes',
    ]);
  }
  assert.equal(await exported(place), 'accounts: {}\n');
  assert.notEqual((await apply(place, FILE, '--plan', '--yes')).status, 0);
});

test('what is applied is there, its secrets are printed once, and a second time changes nothing', async () => {
  using place = createWorkplace();
  const first = await apply(place, FILE, '--yes', '--init');
  assert.equal(first.status, 0, first.stderr);
  assert.deepEqual(said(first.stderr), [...PLAN, 'made 7 changes']);
  const secrets = first.stdout
    .trim()
    .split('\n')
    .map((line) => line.split('\t'));
  assert.deepEqual(
    secrets.map(([account, of]) => [account, of]),
    [
      ['shop', 'checkout'],
      ['shop', 'ci'],
      ['shop', 'ada@example.com'],
      ['shop', 'bob@example.com'],
    ],
  );
  const [live = '', ci = '', link = ''] = secrets.map(([, , secret]) => secret);
  assert.ok(isWellFormedKey(live) && live.startsWith('csk_live_'));
  assert.ok(isWellFormedKey(ci) && ci.startsWith('csk_test_'));
  assert.match(link, /^https:\/\/\S+#\S+$/);

  const second = await apply(place, FILE, '--yes');
  assert.deepEqual([second.status, second.stdout, said(second.stderr)], [0, '', ['nothing to change']]);
  assert.equal((await apply(place, FILE)).stdout, 'nothing to change\n');
  assert.deepEqual(parse(await exported(place)), {
    accounts: {
      lab: {},
      shop: {
        settings: {
          ...{ brand: 'Shop', sends_per_destination: ['3/10m'], countries: ['DE', 'FR'] },
          ...{ budgets: ['account 50 per day'], guard: 'observe', twilio: true },
        },
        keys: {
          checkout: {
            ...{ test: false, expires_at: '2090-01-01T00:00:00.000Z', custom_codes: true },
            restrictions: { channels: ['sms'], sources: ['192.0.2.0/24'] },
          },
          ci: { test: true },
        },
        members: { 'ada@example.com': 'owner', 'bob@example.com': 'developer' },
      },
    },
  });
  for (const secret of [live, ci]) {
    const name = secret.slice(9, 17);
    for (const text of [await exported(place), first.stderr]) assert.ok(!text.includes(name));
  }
  const log = await place.run(['audit', 'export', '--account', 'shop']);
  const entries: { who: string; action: string }[] = JSON.parse(log.stdout).entries;
  assert.deepEqual(
    entries.map(({ who, action }) => `${who} ${action}`),
    [
      'account.created',
      'settings.changed',
      'key.created',
      'key.created',
      'member.invited',
      'member.invited',
    ].map((action) => `command line ${action}`),
  );
  assert.equal((await place.run(['audit', 'verify'])).status, 0);
});

test('what the file leaves out stays, and what it names follows', async () => {
  using place = createWorkplace();
  assert.equal((await apply(place, FILE, '--yes', '--init')).status, 0);
  const before = await exported(place);
  const change = `accounts:
  shop:
    settings: { brand: null, countries: [] }
    keys:
      checkout: { expires_at: null, restrictions: { countries: [DE] } }
    members: { bob@example.com: viewer }
`;
  const changed = await apply(place, change, '--yes');
  assert.deepEqual(said(changed.stderr), [
    'shop: settings: brand: default; countries: default',
    'shop: key checkout: expires: never; channels: sms; countries: DE; sources: 192.0.2.0/24',
    'shop: invite bob@example.com as viewer',
    'made 3 changes',
  ]);
  const { shop } = parse(before).accounts;
  delete shop.settings.brand;
  delete shop.settings.countries;
  delete shop.keys.checkout.expires_at;
  shop.keys.checkout.restrictions.countries = ['DE'];
  shop.members['bob@example.com'] = 'viewer';
  assert.deepEqual(parse(await exported(place)).accounts.shop, shop);
  const one = await place.run(['accounts', 'export', '--account', 'lab']);
  assert.equal(one.stdout, 'accounts:\n  lab: {}\n');
  assert.notEqual((await place.run(['accounts', 'export', '--account', 'none'])).status, 0);
});

test('bad input is refused with file, line and field, all of it at once, and nothing is done', async () => {
  using place = createWorkplace();
  assert.equal(
    (await apply(place, 'accounts: { shop: { keys: { ci: { test: true } } } }', '--yes', '--init')).status,
    0,
  );
  const before = await exported(place);
  const refusals: [string, string[]][] = [
    ['', ['accounts.yaml: is empty; expected accounts: and what belongs to them']],
    [
      'a: [',
      [
        'accounts.yaml:1:5: not valid YAML (bad indent); correct the line; quote texts that begin with a character such as * & ! % @ `',
      ],
    ],
    [
      'accounts:\n  shop:\n    keyz:\n      web: {}\n',
      ['accounts.yaml:3: accounts.shop.keyz: is not known here; known are settings, keys, members'],
    ],
    [
      'shop: {}\n',
      [
        'accounts.yaml:1: shop: is not known here; known are accounts',
        'accounts.yaml: accounts: is required',
      ],
    ],
    [
      `accounts:
  shop:
    settings:
      brand: 7
      color: blue
      refuse: { ported_within_hour: 48 }
      locale: tlh-KLINGON
    keys:
      ci: { test: false }
      web:
        test: 'no'
        restrictions: { countries: [DE, QQ], sources: [home] }
      old: { expires_at: 2001-01-01T00:00:00Z }
    members:
      nobody: owner
      ada@example.com: boss
`,
      [
        'accounts.yaml:5: accounts.shop.settings.color: is not known here; known are brand, locale, code_length, sends_per_destination, failed_guesses_per_destination, countries, budgets, guard, twilio, camara, refuse',
        'accounts.yaml:6: accounts.shop.settings.refuse.ported_within_hour: is not known here; known are swapped_within_hours, ported_within_hours, line_types, recycled',
        'accounts.yaml:4: accounts.shop.settings.brand: must be a string',
        'accounts.yaml:11: accounts.shop.keys.web.test: must be a boolean',
        'accounts.yaml:16: accounts.shop.members.ada@example.com: must be one of owner,developer,viewer',
      ],
    ],
    [
      `accounts:
  shop:
    settings:
      locale: xx
      sends_per_destination: [9999999/1h]
      budgets: [account 0 per day]
    keys:
      ci: { test: false }
      web:
        restrictions: { countries: [DE, QQ], sources: [home] }
      old: { expires_at: 2001-01-01T00:00:00Z }
`,
      [
        `accounts.yaml:4: accounts.shop.settings.locale: ${NO_WORDS}`,
        'accounts.yaml:5: accounts.shop.settings.sends_per_destination.0: must look like 5/10m, with a count of at most 1000000 and a period of at most a day (1d)',
        'accounts.yaml:6: accounts.shop.settings.budgets.0: must look like account 50 per day or key 100 messages per hour, with an amount above zero',
        'accounts.yaml:8: accounts.shop.keys.ci.test: is a test key already, which stays one; give the new key another name',
        'accounts.yaml:10: accounts.shop.keys.web.restrictions.countries.1: must be an ISO 3166 alpha-2 code, or ZZ for destinations without a country',
        'accounts.yaml:10: accounts.shop.keys.web.restrictions.sources.0: must be an IP address or a network such as 192.0.2.0/24',
        'accounts.yaml:11: accounts.shop.keys.old.expires_at: must be in the future',
      ],
    ],
    // Of the lists only `countries` may be empty; the others are null.
    [
      `accounts:
  shop:
    settings:
      countries: []
      sends_per_destination: []
      failed_guesses_per_destination: []
      budgets: []
`,
      [
        'accounts.yaml:5: accounts.shop.settings.sends_per_destination: must not be empty',
        'accounts.yaml:6: accounts.shop.settings.failed_guesses_per_destination: must not be empty',
        'accounts.yaml:7: accounts.shop.settings.budgets: must not be empty',
      ],
    ],
    [
      `accounts:\n  shop:\n    keys:\n      "\\u202Enim": {}\n    members:\n      nobody: owner\n      a@b.co: owner\n      A@b.co: owner\n`,
      [
        'accounts.yaml:4: accounts.shop.keys.?nim: must be a name of 1 to 80 characters, without control or invisible ones',
        'accounts.yaml:6: accounts.shop.members.nobody: must be an address such as name@example.com',
        'accounts.yaml:8: accounts.shop.members.A@b.co: is there twice, in another spelling',
      ],
    ],
  ];
  for (const [text, lines] of refusals) {
    const { status, stdout, stderr } = await apply(place, text, '--yes');
    assert.deepEqual([status, stdout], [1, ''], stderr);
    const told = stderr.split('\n').filter((line) => line !== '' && !line.startsWith('store: '));
    assert.deepEqual(
      told.map((line) => line.replace(/^countersign: /, '').replace(/(?<=There are no words for xx).*/, '')),
      lines,
    );
  }
  const missing = await place.run(['accounts', 'apply', 'none.yaml']);
  assert.match(missing.stderr, /none\.yaml cannot be read \(ENOENT\)/);
  assert.equal(await exported(place), before);
});

test('the example of the guide is one', async () => {
  using place = createWorkplace();
  const guide = readFileSync(new URL('../../../docs/accounts-as-code.md', import.meta.url), 'utf8');
  const [, example = ''] = /```yaml\n([\s\S]*?)```/.exec(guide) ?? [];
  const { status, stderr } = await apply(place, example, '--yes', '--init');
  assert.equal(status, 0, stderr);
  assert.equal((await apply(place, await exported(place))).stdout, 'nothing to change\n');
});

test('keys with one name are told apart by nobody, so they are refused', async () => {
  using place = createWorkplace();
  for (let times = 0; times < 2; times++)
    assert.equal(
      (await place.run(['keys', 'create', '--init', '--name', 'web', '--account', 'shop'])).status,
      0,
    );
  const refused = await place.run(['accounts', 'export']);
  assert.match(refused.stderr, /several keys in use of shop are called web/);
  const planned = await apply(place, 'accounts: { shop: { keys: { web: { custom_codes: true } } } }');
  assert.match(planned.stderr, /accounts\.shop\.keys\.web: is the name of 2 keys in use/);
});
