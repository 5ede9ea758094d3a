/** An account’s name decides who is admitted to it and whose keys commands make, so no owner can take the name of another’s. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultyFields } from '../../acceptance/client.ts';
import { firstAccount, PASSWORD, read, readMe, type Visitor } from '../rig.ts';
import { startSingleSignOn, walk } from './walk.ts';

test('no owner takes a name by which newcomers or keys find their account', async (t) => {
  const rule = { domains: ['example.com'], account: 'staff', role: 'developer' };
  const rig = await startSingleSignOn(t, { options: { newcomers: [rule] } });
  const operator = await rig.setUp();
  const first = await firstAccount(operator);
  const { id: tenant } = read<{ id: string }>(
    await operator.post('/portal/api/accounts', { name: 'Tenant' }),
  );
  const invitation = { email: 'mallory@tenant.example', role: 'owner' };
  const path = `/portal/api/accounts/${tenant}`;
  const { link } = read<{ link: string }>(await operator.post(`${path}/invitations`, invitation));
  const mallory = rig.visitor();
  const accepted = { token: link.split('#')[1], name: 'Mallory', password: PASSWORD };
  assert.equal((await mallory.post('/portal/api/invitations/accept', accepted)).status, 200);
  const rename = async (by: Visitor, id: string, name: string) => {
    const at = `/portal/api/accounts/${id}/settings`;
    const { settings } = read<{ settings: object }>(await by.get(at));
    return by.send('PUT', at, { ...settings, name });
  };

  // The first account may get another name; nobody gets its old one.
  assert.equal((await rename(operator, first.id, 'Acme')).status, 200);
  for (const held of ['default', ' default ', 'staff']) {
    assert.deepEqual(faultyFields(await rename(mallory, tenant, held)), ['name'], held);
    const made = await mallory.post('/portal/api/accounts', { name: held });
    assert.deepEqual(faultyFields(made), ['name'], held);
  }
  assert.deepEqual(
    (await readMe(mallory)).accounts.map(({ name }) => name),
    ['Tenant'],
  );

  rig.provider.person = { sub: 'nora', email: 'nora@example.com', email_verified: true, name: 'Nora' };
  assert.notEqual(await walk(rig.visitor()), '/portal/', 'nobody is admitted until the account is there');
  await assert.rejects(rig.service.command('keys', 'create', '--name', 'production'), /no account default/);
  const keys = read<readonly unknown[]>(await mallory.get(`${path}/keys`));
  assert.deepEqual(keys, []);

  // A command makes the account that the rule names, and gives it an owner, who cannot rename it.
  await rig.service.command('keys', 'create', '--name', 'staff', '--account', 'staff', '--test');
  const invite = ['portal', 'invite', '--email', 'olga@example.net', '--account', 'staff'];
  const token = (await rig.service.command(...invite)).trim().split('#')[1];
  const olga = rig.visitor();
  await olga.post('/portal/api/invitations/accept', { token, name: 'Olga', password: PASSWORD });
  const staff = await firstAccount(olga);
  const nora = rig.visitor();
  assert.equal(await walk(nora), '/portal/');
  assert.deepEqual(
    (await readMe(nora)).accounts.map(({ id }) => id),
    [staff.id],
  );
  const away = await rename(olga, staff.id, 'Our own');
  assert.deepEqual(faultyFields(away), ['name']);
  assert.match(away.text, /newcomers/);
  assert.equal((await rename(olga, staff.id, 'staff')).status, 200, 'what stays may be sent');
});
