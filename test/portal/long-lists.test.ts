/** Keys, people and verifications: how they are searched, and their files for spreadsheets. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Members } from '../../src/identity/members/contract.ts';
import type { KeyPage } from '../../src/portal/keys/contract.ts';
import { freshNumber, problemOf } from '../acceptance/client.ts';
import { firstAccount, read, sharePortal } from './rig.ts';

const openPlace = sharePortal();
const UNBOUND = { expires_at: null, restrictions: { channels: [], countries: ['DE', 'FR'], sources: [] } };

test('keys are found by name, beginning, state and kind, and their file has no key and no formula', async (t) => {
  const { setUp } = await openPlace(t);
  const owner = await setUp();
  const { id } = await firstAccount(owner);
  const path = `/portal/api/accounts/${id}/keys`;
  const make = async (name: string, test: boolean) =>
    read<{ key: { id: string; prefix: string }; secret: string }>(
      await owner.post(path, { name, test, ...UNBOUND }),
    );
  const shop = await make('Shop front', true);
  const formula = await make('=HYPERLINK("//evil")', false);
  const old = await make('Old', true);
  read(await owner.post(`${path}/${old.key.id}/revoke`));
  const find = async (body: object) => {
    const { keys, next, count } = read<KeyPage>(await owner.post(`${path}/search`, body));
    assert.equal(next, null);
    assert.equal(count, 'text' in body ? null : keys.length);
    return keys.map(({ name }) => name);
  };
  assert.deepEqual(await find({}), ['Old', '=HYPERLINK("//evil")', 'Shop front']);
  assert.deepEqual(await find({ state: 'ended' }), ['Old']);
  assert.deepEqual(await find({ state: 'in-use', test: true }), ['Shop front']);
  // As it begins in words: three letters may stand in the random part of another key.
  assert.deepEqual(await find({ text: 'SHOP FRO' }), ['Shop front']);
  assert.deepEqual(await find({ text: shop.secret }), ['Shop front']);
  assert.deepEqual(await find({ id: formula.key.id }), ['=HYPERLINK("//evil")']);

  const file = await owner.get(`${path}.csv`);
  assert.equal(file.headers['content-disposition'], 'attachment; filename="api-keys.csv"');
  assert.match(String(file.headers['content-type']), /^text\/csv; charset=utf-8/);
  const lines = file.text.split('\r\n');
  assert.equal(lines.length, 5, 'a header, three keys and the end');
  assert.match(lines[0] ?? '', /^id,name,kind,prefix,status,created_at,created_by,/);
  assert.ok(
    lines[2]?.includes(`"'=HYPERLINK(""//evil"")",live,${formula.key.prefix},active,`),
    lines[2] ?? '',
  );
  assert.match(lines[3] ?? '', /,DE FR,/);
  for (const { secret } of [shop, formula, old]) assert.ok(!file.text.includes(secret));
  const ended = await owner.get(`${path}.csv?state=ended`);
  assert.deepEqual([ended.text.split('\r\n').length, ended.text.includes('Old')], [3, true]);
});

test('people are found by name, address and role, with their invitations, and exported as they are found', async (t) => {
  const portal = await openPlace(t);
  const owner = await portal.setUp();
  const { id } = await firstAccount(owner);
  const path = `/portal/api/accounts/${id}`;
  // Their name is the beginning of their address.
  await portal.join(owner, 'viewer', `+vera@${portal.domain}`);
  read(await owner.post(`${path}/invitations`, { email: `ines@${portal.domain}`, role: 'viewer' }));
  const find = async (query: string) => {
    const { members, invitations, next } = read<Members>(await owner.get(`${path}/members${query}`));
    assert.equal(next, null);
    return [members.map(({ name }) => name), invitations.map(({ email }) => email.split('@')[0])];
  };
  assert.deepEqual(await find('?role=viewer'), [['+vera'], ['ines']]);
  assert.deepEqual(await find('?text=VERA@'), [['+vera'], []]);
  assert.deepEqual(await find('?text=ines'), [[], ['ines']]);
  assert.deepEqual((await find(''))[0]?.length, 2);

  const file = await owner.get(`${path}/members.csv?role=viewer`);
  assert.equal(file.headers['content-disposition'], 'attachment; filename="people.csv"');
  const [header, row, ...rest] = file.text.split('\r\n');
  assert.equal(header, 'name,email,role,since,two_factor');
  assert.match(row ?? '', new RegExp(`^'\\+vera,'\\+vera@${portal.domain},viewer,\\d{4}-.*Z,false$`));
  assert.deepEqual(rest, ['']);
});

test('the file of verifications has what its filters find, and no full number', async (t) => {
  const { setUp, service } = await openPlace(t);
  const owner = await setUp();
  const { id } = await firstAccount(owner);
  const path = `/portal/api/accounts/${id}`;
  const { secret } = read<{ secret: string }>(
    await owner.post(`${path}/keys`, {
      ...UNBOUND,
      restrictions: { channels: [], countries: [], sources: [] },
      name: 'Shop',
      test: true,
    }),
  );
  const numbers = Array.from({ length: 3 }, () => freshNumber());
  const sent = [];
  for (const number of numbers) sent.push(await service.client.issue(number, 'sms', { key: secret }));
  const first = sent[0];
  assert.ok(first !== undefined);
  assert.equal((await service.client.confirm(first.id, first.code, { key: secret })).status, 200);

  const file = await owner.get(`${path}/verifications.csv`);
  assert.equal(file.headers['content-disposition'], 'attachment; filename="verifications.csv"');
  const lines = file.text.split('\r\n');
  assert.equal(
    lines[0],
    'requested_at,id,number,status,channel,country,carrier,key_id,key_name,kind,confirmed_at,carriers_asked',
  );
  assert.deepEqual(
    lines.slice(1, -1).map((line) => line.split(',')[1]),
    sent.map(({ id }) => id).reverse(),
  );
  for (const number of numbers) assert.ok(!file.text.includes(number.slice(1)), 'masked');
  for (const { code } of sent) assert.doesNotMatch(file.text, new RegExp(`(?<![\\w-])${code}(?![\\w-])`));
  const confirmed = await owner.get(`${path}/verifications.csv?status=confirmed`);
  assert.deepEqual([confirmed.text.split('\r\n').length, confirmed.text.includes(first.id)], [3, true]);
  const wrong = await owner.get(`${path}/verifications.csv?from=yesterday`);
  assert.equal(problemOf(wrong), 'invalid-request');
});
