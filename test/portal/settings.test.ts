/** Settings of an account, and their effect on its messages, codes and limits. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultyFields, freshNumber, problemOf, reasons, secondOf, wrongCode } from '../acceptance/client.ts';
import { openGateway } from '../faults/gateway.ts';
import { firstAccount, type PortalRig, read, sharePortal, startPortal, type Visitor } from './rig.ts';

interface View {
  readonly settings: Record<string, unknown>;
  readonly defaults: Record<string, unknown> & { readonly locales: readonly string[] };
}

const NOTHING = {
  brand: null,
  locale: null,
  code_length: null,
  sends_per_destination: null,
  failed_guesses_per_destination: null,
  countries: [],
  budgets: null,
  guard: null,
  twilio: false,
  camara: false,
  refuse: null,
};

const openPlace = sharePortal({
  config: { messages: { brand: 'House' }, limits: { sendsPerDestination: ['4/10m'] } },
});

async function open(rig: PortalRig, owner: Visitor, account?: { id: string; name: string }) {
  const { id, name } = account ?? (await firstAccount(owner));
  const path = `/portal/api/accounts/${id}`;
  const restrictions = { channels: [], countries: [], sources: [] };
  const body = { name: 'n', test: false, expires_at: null, restrictions };
  const { secret: key } = read<{ secret: string }>(await owner.post(`${path}/keys`, body));
  return {
    name,
    key,
    path: `${path}/settings`,
    put: (settings: object) => owner.send('PUT', `${path}/settings`, { name, ...NOTHING, ...settings }),
    issue: async (to = freshNumber()) => {
      const { client } = rig.service;
      const { id = '' } = (await client.verify(to, 'sms', { key })).json;
      return { ...(await client.message(to, id, { key })), id };
    },
  };
}

test('brand, language and length of codes apply to the account, and to no other', async (t) => {
  const rig = await openPlace(t);
  const owner = await rig.setUp();
  const own = await open(rig, owner);
  const other = await open(
    rig,
    owner,
    read(await owner.post('/portal/api/accounts', { name: `Other of ${rig.domain}` })),
  );
  assert.match((await own.issue()).text, /House/);

  const view = read<View>(await own.put({ brand: 'Café 24', locale: 'fr', code_length: 8 }));
  assert.equal(view.settings.brand, 'Café 24');
  assert.deepEqual([view.defaults.brand, view.defaults.code_length], ['House', 6]);
  assert.ok(view.defaults.locales.includes('fr'));
  assert.deepEqual(view.defaults.channels, ['sms', 'voice']);
  assert.deepEqual(view.defaults.simulated, ['sms', 'voice']);
  assert.deepEqual(read<View>(await owner.get(own.path)), view);
  await secondOf(rig.service.client);
  const message = await own.issue();
  assert.match(message.code, /^\d{8}$/);
  assert.match(message.text, /Café 24/);
  assert.match(message.text, /code/);
  assert.doesNotMatch(message.text, /House|Bestätigung/);
  const { client } = rig.service;
  assert.equal((await client.confirm(message.id, message.code, { key: own.key })).status, 200);
  const theirs = await other.issue();
  assert.match(theirs.code, /^\d{6}$/);
  assert.match(theirs.text, /House/);

  assert.equal((await own.put({})).status, 200);
  await secondOf(rig.service.client);
  const again = await own.issue();
  assert.match(again.code, /^\d{6}$/);
  assert.match(again.text, /House/);
});

test('limits apply in addition to those of the service, and the answer names the one that refused', async (t) => {
  const rig = await openPlace(t);
  const owner = await rig.setUp();
  const { put, key } = await open(rig, owner);
  await put({ sends_per_destination: ['2/1h', '100/1d'], failed_guesses_per_destination: ['3/1d'] });
  await secondOf(rig.service.client);
  const { client } = rig.service;
  const number = freshNumber();
  const answers = await Promise.all(Array.from({ length: 20 }, () => client.verify(number, 'sms', { key })));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, ...Array(18).fill(429)]);
  const refused = answers.find(({ status }) => status === 429);
  assert.ok(refused);
  assert.equal(problemOf(refused), 'quota-exceeded');
  assert.equal(refused.headers['ratelimit-policy'], '"destination-1h";q=2;w=3600');

  const id = answers.find(({ status }) => status === 200)?.json.id ?? '';
  const { code } = await client.message(number, id, { key });
  const wrong = Array.from({ length: 10 }, () => client.confirm(id, wrongCode(code), { key }));
  const guessed = await Promise.all(wrong);
  assert.equal(guessed.filter((answer) => problemOf(answer) === 'code-mismatch').length, 3);
  assert.equal(problemOf(await client.confirm(id, code, { key })), 'attempts-exhausted');

  // So many in a second, and the service's own holds as well.
  await put({ sends_per_destination: ['3/1s'] });
  await secondOf(rig.service.client);
  const other = freshNumber();
  const all = await Promise.all(Array.from({ length: 10 }, () => client.verify(other, 'sms', { key })));
  assert.equal(all.filter(({ status }) => status === 200).length, 3);
});

test('a limit that a stricter one of the service hides is refused, and says which that is', async (t) => {
  const rig = await openPlace(t);
  const { put } = await open(rig, await rig.setUp());
  for (const [texts, why] of [
    [['50/10m'], /^50\/10m would have no effect, because 4\/10m holds already$/],
    [['5/10m'], /because 4\/10m holds/],
    [['3/1h', '25/1h'], /^25\/1h would have no effect, because 4\/10m/],
    [['5/1s'], /because 4\/10m/],
  ] as const) {
    const answer = await put({ sends_per_destination: texts });
    const { errors } = answer.json as unknown as {
      errors: { field: string; code: string; detail: string }[];
    };
    assert.equal(answer.status, 400);
    assert.deepEqual(
      errors.map(({ field, code }) => [field, code]),
      [[`sends_per_destination/${texts.length - 1}`, 'no_effect']],
    );
    assert.match(errors[0]?.detail ?? '', why);
  }
  assert.equal((await put({ failed_guesses_per_destination: ['51/1d'] })).status, 400);
  const view = read<View>(await put({ sends_per_destination: ['4/10m', '20/1h'] }));
  assert.deepEqual(view.defaults.sends_per_destination, { limits: ['4/10m'], of: 'service' });
});

test('countries apply to the account; a test key reaches only the simulator, in all countries', async (t) => {
  const rig = await openPlace(t);
  const owner = await rig.setUp();
  const { put, key } = await open(rig, owner);
  await put({ countries: ['FR', 'AT'] });
  await secondOf(rig.service.client);
  const { client } = rig.service;
  const refused = await client.verify(freshNumber(), 'sms', { key });
  assert.deepEqual([refused.status, faultyFields(refused)], [400, ['destination']]);
  assert.equal((await client.verify('+33612345678', 'sms', { key })).status, 200);
});

test('each faulty field is named; only owners change settings, and another account’s name is taken', async (t) => {
  const rig = await openPlace(t);
  const owner = await rig.setUp();
  const { put, path, name } = await open(rig, owner);
  const developer = await rig.join(owner, 'developer', `dev@${rig.domain}`);
  await owner.post('/portal/api/accounts', { name: `Other of ${rig.domain}` });
  const cases: [object, string[]][] = [
    [{ name: `Other of ${rig.domain}` }, ['name']],
    [{ brand: 'two\nlines' }, ['brand']],
    [{ brand: '   ' }, ['brand']],
    [{ locale: 'xx' }, ['locale']],
    [{ code_length: 3 }, ['code_length']],
    [{ sends_per_destination: ['4/10m', '4/2d'] }, ['sends_per_destination/1']],
    [{ failed_guesses_per_destination: ['many'] }, ['failed_guesses_per_destination/0']],
    [{ countries: ['UK'] }, ['countries/0']],
    [{ color: 'blue' }, ['color']],
    [{ refuse: { ported_within_hour: 48 } }, ['refuse/ported_within_hour']],
    [{ refuse: { '4915112345678': 48 } }, ['refuse/(unknown)']],
    [
      { refuse: { swapped_within_hours: 0, line_types: ['fax'], recycled: false } },
      ['refuse/line_types/0', 'refuse/swapped_within_hours'],
    ],
    [
      { refuse: { swapped_within_hours: 72, line_types: ['voip'], recycled: true, ported_within_hours: 24 } },
      ['refuse/line_types', 'refuse/ported_within_hours', 'refuse/recycled', 'refuse/swapped_within_hours'],
    ],
  ];
  for (const [settings, fields] of cases) {
    const answer = await put(settings);
    assert.deepEqual([answer.status, faultyFields(answer)], [400, fields], answer.text);
  }
  assert.deepEqual(read<View>(await owner.get(path)).settings, { name, ...NOTHING });

  assert.equal((await developer.get(path)).status, 200);
  assert.equal(problemOf(await developer.send('PUT', path, { name, ...NOTHING })), 'forbidden');

  await put({ name: `Renamed of ${rig.domain}`, brand: 'B' });
  await put({ name: `Renamed of ${rig.domain}`, brand: 'B' });
  const log = read<{ entries: { action: string; detail: string }[] }>(
    await owner.get(path.replace('/settings', '/audit')),
  );
  const entries = log.entries.filter(({ action }) => action === 'settings.changed');
  assert.equal(entries[0]?.detail, `name: Renamed of ${rig.domain}; brand: B`, 'not what changed nothing');
});

test('an account’s own budget applies, and what is no budget is refused', async (t) => {
  await using gateway = await openGateway();
  const rig = await startPortal(t, {
    config: {
      currency: 'EUR',
      carriers: { gateway: gateway.carrier },
      routes: [{ channel: 'sms', carriers: ['gateway'] }],
    },
  });
  const owner = await rig.setUp();
  const { put, key } = await open(rig, owner);
  for (const budget of ['account 0 per day', 'route 5 per day', 'account five per day']) {
    const refused = await put({ budgets: [budget] });
    assert.deepEqual([refused.status, faultyFields(refused)], [400, ['budgets/0']], budget);
  }
  const budgets = ['account 2 messages per month', 'country 0.5 messages per day'];
  assert.equal((await put({ budgets })).status, 400);
  const view = read<View>(await put({ budgets: budgets.slice(0, 1) }));
  assert.deepEqual([view.settings.budgets, view.defaults.currency], [budgets.slice(0, 1), 'EUR']);
  await secondOf(rig.service.client);
  const { client } = rig.service;
  const ask = async () => {
    const answer = await client.verify(freshNumber(), 'sms', { key });
    return [answer.status, answer.json.budget];
  };
  assert.deepEqual(await ask(), [200, undefined]);
  assert.deepEqual(await ask(), [200, undefined]);
  assert.deepEqual(await ask(), [429, 'account per month']);
  await put({ budgets: ['country 5 per month'] });
  await secondOf(rig.service.client);
  const unpriced = await client.verify(freshNumber(), 'sms', { key });
  assert.deepEqual([unpriced.status, reasons(unpriced)], [400, ['destination no_price']]);
});
