/** Names that people give: characters that are invisible or reverse the text around them are refused everywhere. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { onTwoNodes } from '../acceptance/target.ts';
import {
  firstAccount,
  PASSWORD,
  type PortalRig,
  read,
  sharePortal,
  startPortal,
  type Visitor,
} from './rig.ts';
import { createAuthenticator } from './sign-in/authenticator.ts';

const BAD: Readonly<Record<string, string>> = {
  'a line feed': 'Olive\nOwner',
  'a zero': 'Olive\0',
  'an escape': '\x1b[31mOlive',
  'a control of C1': 'Olive\x9b31m',
  'a line separator': 'Olive\u2028Owner',
  'an override from right to left': 'Olive \u202egnp.exe',
  'an embedding': '\u202aOlive\u202c',
  'an isolate': 'Olive\u2066Owner\u2069',
  'a mark from left to right': 'Olive\u200e',
  'a mark from right to left': 'Olive\u200f',
  'an Arabic letter mark': 'Olive\u061c',
  'a space of no width': 'Oli\u200bve',
  'a word joiner': 'Oli\u2060ve',
  'a byte order mark': '\ufeffOlive',
  'a soft hyphen': 'Oli\u00adve',
  'a filler': 'Olive\u3164',
  'a tag': 'Olive\u{e0041}',
  'half a pair': 'Olive\ud800',
  'nothing to see': '\u200d \u200c',
  blank: ' \u00a0 ',
};
const GOOD = [
  'Zoë O’Brien-Smith',
  'محمد علی',
  'خانه\u200cدار',
  '株式会社アクメ',
  '👩\u200d👩\u200d👧 Team ❤\ufe0f',
  'Dev & Ops (2)',
];

interface Place {
  readonly field: string;
  /** Makes a valid name different from the ones before, where that is necessary. */
  readonly vary?: (name: string) => string;
  /** Sets a name there. */
  give(
    rig: PortalRig,
    owner: Visitor,
    name: string,
  ): Promise<{ readonly status: number; readonly json: unknown }>;
}

const restrictions = { channels: [], countries: [], sources: [] };
const SETTINGS = {
  ...{ brand: null, locale: null, code_length: null, countries: [] },
  ...{ sends_per_destination: null, failed_guesses_per_destination: null, budgets: null, guard: null },
};
const base = async (owner: Visitor) => `/portal/api/accounts/${(await firstAccount(owner)).id}`;
let made = 0;

const openPlace = sharePortal();

const PLACES: Readonly<Record<string, Place>> = {
  'an account': { field: 'name', give: (_, owner, name) => owner.post('/portal/api/accounts', { name }) },
  'the account, later': {
    field: 'name',
    vary: (name) => `${name} 2`,
    give: async (_, owner, name) => owner.send('PUT', `${await base(owner)}/settings`, { ...SETTINGS, name }),
  },
  'a brand': {
    field: 'brand',
    give: async (_, owner, brand) => {
      const { name } = await firstAccount(owner);
      return owner.send('PUT', `${await base(owner)}/settings`, { ...SETTINGS, name, brand });
    },
  },
  'a key': {
    field: 'name',
    give: async (_, owner, name) =>
      owner.post(`${await base(owner)}/keys`, { name, test: true, expires_at: null, restrictions }),
  },
  'a key, later': {
    field: 'name',
    give: async (_, owner, name) => {
      const keys = `${await base(owner)}/keys`;
      const body = { name: 'k', test: true, expires_at: null, restrictions };
      const { key } = read<{ key: { id: string } }>(await owner.post(keys, body));
      return owner.send('PATCH', `${keys}/${key.id}`, { name });
    },
  },
  'a person': {
    field: 'name',
    give: async (rig, owner, name) => {
      const wanted = { email: `guest${made++}@example.com`, role: 'viewer' };
      const { link } = read<{ link: string }>(await owner.post(`${await base(owner)}/invitations`, wanted));
      const body = { token: link.split('#')[1], name, password: PASSWORD };
      return rig.visitor().post('/portal/api/invitations/accept', body);
    },
  },
  'a passkey': {
    field: 'name',
    give: async ({ service }, owner, name) => {
      const { options } = read<{ options: { challenge: string } }>(
        await owner.post('/portal/api/me/passkeys/options'),
      );
      const response = createAuthenticator({ origin: service.baseUrl }).create(options);
      return owner.post('/portal/api/me/passkeys', { name, response });
    },
  },
};

test('every name that a person gives is checked', async (t) => {
  const rig = await startPortal(t);
  const first = { token: rig.setupToken(), email: 'a@example.com', password: PASSWORD };
  const refused = await rig.visitor().post('/portal/api/setup', { ...first, name: BAD['a line feed'] });
  assert.deepEqual(
    refused.json.errors?.map(({ field }) => field),
    ['name'],
  );
  const owner = await rig.setUp();
  for (const [place, { field, give, vary = (name: string) => name }] of Object.entries(PLACES)) {
    for (const [what, name] of Object.entries(BAD)) {
      const answer = await give(rig, owner, name);
      const { errors } = answer.json as { errors?: { field: string; detail: string }[] };
      const at = `${place} with ${what}`;
      assert.deepEqual([answer.status, errors?.map((error) => error.field)], [400, [field]], at);
      assert.match(errors?.[0]?.detail ?? '', /^must be visible text/, at);
    }
    for (const name of GOOD)
      assert.ok((await give(rig, owner, vary(name))).status < 300, `${place}: ${name}`);
  }
});

test('addresses are checked too', async (t) => {
  const rig = await openPlace(t);
  const owner = await rig.setUp();
  for (const email of ['oli\u202eve@example.com', 'oli\u200bve@example.com', 'olive@exam\0ple.com']) {
    const answer = await owner.post(`${await base(owner)}/invitations`, { email, role: 'viewer' });
    assert.deepEqual([answer.status, answer.json.errors?.map(({ field }) => field)], [400, ['email']]);
  }
});

suite('on the command line', { skip: onTwoNodes }, () => {
  test('names of keys and accounts are checked', async (t) => {
    const { service } = await openPlace(t);
    const create = (...args: string[]) => service.command('keys', 'create', ...args);
    await assert.rejects(create('--name', 'web\u202eshop'), /--name must be visible text/);
    await assert.rejects(create('--name', 'shop', '--account', 'a\nb'), /--account must be visible text/);
    await assert.rejects(
      service.command('portal', 'invite', '--email', 'x\u202e@example.com', '--role', 'viewer'),
      /--email must be an address/,
    );
  });
});

test('nobody has a name that the service itself uses, and of two of one name their addresses are told', async (t) => {
  const { setUp, join, visitor, domain, owner: address } = await openPlace(t);
  const owner = await setUp();
  const account = await base(owner);
  const accept = async (local: string, name: string) => {
    const body = { email: `${local}@${domain}`, role: 'developer' };
    const { link } = read<{ link: string }>(await owner.post(`${account}/invitations`, body));
    const guest = visitor();
    const token = link.split('#')[1];
    const answer = await guest.post('/portal/api/invitations/accept', { token, name, password: PASSWORD });
    return { guest, answer };
  };
  for (const name of ['command line', ' Command  LINE', 'the service', 'a recipient', 'Somebody']) {
    const { answer } = await accept('imitator', name);
    assert.deepEqual(
      [answer.status, answer.json.errors?.map(({ field, code }) => [field, code])],
      [400, [['name', 'taken']]],
      name,
    );
  }
  const { guest, answer } = await accept('another', `Olive Owner (${address})`);
  assert.equal(answer.status, 200);
  const developer = await join(owner, 'developer', `dev@${domain}`);
  const body = { name: 'k', test: true, expires_at: null, restrictions };
  const made = [];
  for (const who of [owner, guest, developer]) {
    made.push(read<{ key: { created_by: string } }>(await who.post(`${account}/keys`, body)).key.created_by);
  }
  const expected = [
    `Olive Owner (${address})`,
    `Olive Owner (${address}) (another@${domain})`,
    `dev (dev@${domain})`,
  ];
  assert.deepEqual(made, expected);
  const { entries } = read<{ entries: { action: string; who: string }[] }>(
    await owner.get(`${account}/audit`),
  );
  assert.deepEqual(
    entries.filter(({ action }) => action === 'key.created').map(({ who }) => who),
    expected.toReversed(),
  );
});
