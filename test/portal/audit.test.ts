/** What happens to keys without anyone signed in is in their account's audit log. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { test } from 'node:test';
import { freePort } from '../free-port.ts';
import { firstAccount, read, startPortal, type Visitor } from './rig.ts';

interface Entry {
  readonly who: string;
  readonly address: string | null;
  readonly action: string;
  readonly subject: string;
  readonly detail: string;
}

const keyEntries = async (owner: Visitor, account: string) =>
  read<{ entries: Entry[] }>(await owner.get(`/portal/api/accounts/${account}/audit`)).entries.filter(
    ({ action }) => action.startsWith('key.'),
  );

test('the audit log has keys that the command line makes and revokes, and a leaked one that the service revokes', async (t) => {
  const plain = await freePort();
  const { service, setUp } = await startPortal(t, { config: { plain: { port: plain } } });
  const owner = await setUp();
  const { id } = await firstAccount(owner);
  const create = async (...args: string[]) => (await service.command('keys', 'create', ...args)).trim();
  const shop = await create('--name', 'shop');
  await create('--name', 'elsewhere', '--account', 'other');
  const prefix = shop.slice(0, 17);
  for (let i = 0; i < 2; i++) await service.command('keys', 'revoke', prefix);

  const leaked = await service.createKey('leaked');
  const headers = { authorization: `Bearer ${leaked}` };
  for (let i = 0; i < 2; i++) {
    const sent = request({ port: plain, host: 'localhost', path: '/verify', method: 'POST', headers }).end();
    const [answer] = await once(sent, 'response');
    answer.resume();
    assert.equal(answer.statusCode, 403);
    await once(answer, 'end');
  }

  const entries = await keyEntries(owner, id);
  const subject = `shop (${prefix})`;
  const clear = { subject: `leaked (${leaked.slice(0, 17)})`, detail: 'it was sent unencrypted' };
  assert.deepEqual(
    entries.map(({ who, action, subject, detail }) => ({ who, action, subject, detail })),
    [
      { who: 'the service', action: 'key.revoked', ...clear },
      { who: 'command line', action: 'key.created', ...clear, detail: '' },
      { who: 'command line', action: 'key.revoked', subject, detail: '' },
      { who: 'command line', action: 'key.created', subject, detail: '' },
      { who: 'the service', action: 'key.created', subject: entries.at(-1)?.subject, detail: '' },
    ],
  );
  assert.match(entries.at(-1)?.subject ?? '', /^first steps \(csk_test_/);
  assert.ok(entries.every(({ address }) => address === null));
});
