/** Keys, what was sent with them, and what is not sent. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { wrongCode } from '../../acceptance/client.ts';
import { type PortalRig, read, type Visitor } from '../rig.ts';
import type { Walk } from './walk.ts';

export async function walkKeys(walk: Walk, owner: Visitor, account: string): Promise<string> {
  const path = `/portal/api/accounts/${account}/keys`;
  const restrictions = { channels: [], countries: [], sources: [] };
  const add = { name: 'shop', test: false, expires_at: null, restrictions };
  const created = read<{ key: { id: string }; secret: string }>(await owner.post(path, add));
  read(await owner.send('PATCH', `${path}/${created.key.id}`, { name: 'shop 2' }));
  const rotate = `${path}/${created.key.id}/rotate`;
  const rotated = read<{ key: { id: string }; secret: string }>(
    await owner.post(rotate, { overlap_minutes: 5 }),
  );
  read(await owner.post(`${path}/${created.key.id}/revoke`));
  read(await owner.get(path));
  walk.evidence.add(created.secret, rotated.secret);
  // A key in the wrong place, as people paste them.
  await owner.post(path, { ...add, name: rotated.secret, restrictions: { sources: [rotated.secret] } });
  await owner.get(`${path}?key=${rotated.secret}`);
  const found = read<{ keys: readonly unknown[] }>(
    await owner.post(`${path}/search`, { text: rotated.secret }),
  );
  assert.equal(found.keys.length, 1, 'a key is found by itself');
  assert.equal((await owner.get(`${path}.csv`)).status, 200);
  return rotated.secret;
}

export async function walkLookups(
  walk: Walk,
  { service }: PortalRig,
  owner: Visitor,
  account: string,
  key: string,
): Promise<void> {
  const { evidence } = walk;
  const path = `/portal/api/accounts/${account}`;
  const number = evidence.number();
  const sent = await service.client.issue(number, 'sms', { key });
  const guess = wrongCode(sent.code);
  evidence.add(sent.code, guess);
  evidence.keep(await service.client.confirm(sent.id, guess, { key }));
  read(await owner.get(`${path}/verifications`));
  read(await owner.get(`${path}/verifications/count`));
  assert.equal((await owner.get(`${path}/verifications.csv`)).status, 200);
  read(await owner.post(`${path}/verifications/search`, { query: number }));
  read(await owner.get(`${path}/verifications/${sent.id}`));
  read(await owner.post(`${path}/verifications/${sent.id}/reveal`));
  read(await owner.post(`${path}/verifications/${sent.id}/feedback`, { verdict: 'fraud' }));
  read(await owner.post(`${path}/numbers/export`, { destination: number }));
  for (const wrong of [`${number}x`, sent.code]) {
    assert.equal((await owner.post(`${path}/numbers/erase`, { destination: wrong })).status, 400);
  }
  read(await owner.post(`${path}/numbers/erase`, { destination: number }));
  for (const query of [`${number}x`, sent.code, key, evidence.number()]) {
    await owner.post(`${path}/verifications/search`, { query });
  }
  await owner.get(`${path}/verifications?before=${encodeURIComponent(number)}&carrier=${sent.code}`);
  const span = `from=${new Date(Date.now() - 3_600_000).toISOString()}&to=${new Date().toISOString()}`;
  for (const part of ['', '/total', '/parts', '/earlier', '/changes', '/carriers']) {
    assert.equal((await owner.get(`${path}/overview${part}?${span}`)).status, 200);
  }
  assert.equal((await owner.get(`${path}/overview.csv?${span}`)).status, 200);
  await owner.get(`${path}/overview?from=${encodeURIComponent(number)}`);
  read(await owner.get(`${path}/carriers`));
  read(await owner.get(`${path}/routing`));
  for (const asked of [number, `${number}x`])
    read(await owner.post(`${path}/explain`, { number: asked, channel: 'sms' }));
  read(await owner.get(`${path}/countries`));
  const tested = { number: evidence.number(), channel: 'sms' };
  read(await owner.post(`${path}/carriers/simulator/test`, tested));
  await owner.post(`${path}/carriers/${evidence.number()}/test`, {
    ...tested,
    number: `${evidence.number()}x`,
  });
  await owner.post(`${path}/carriers/simulator/test`, { ...tested, number: `${evidence.number()}x` });
  read(await owner.get(`${path}/carriers/tests`));
  read(await owner.get(`${path}/start`));
  for (const part of ['', '/forms']) read(await owner.get(`${path}/configuration${part}`));
  assert.equal((await owner.send('PUT', `${path}/start/dismissal`)).status, 204);
  const cookie = [...owner.cookies].map((pair) => pair.join('=')).join('; ');
  const events = `${path}/handset/events`;
  const stream = get(new URL(events, service.baseUrl), { ca: service.ca, headers: { cookie }, agent: false });
  const [response] = (await once(stream, 'response')) as [IncomingMessage];
  walk.note('GET', events, { status: response.statusCode ?? 0 });
  response.on('error', () => {}).destroy();
}

export async function walkDoNotSend({ evidence }: Walk, owner: Visitor, account: string): Promise<void> {
  const list = `/portal/api/accounts/${account}/do-not-send`;
  const [listed, known] = [evidence.number(), evidence.number()];
  for (const number of [listed, known, known, `${known}x`]) await owner.post(`${list}/numbers`, { number });
  const { numbers } = read<{ numbers: readonly { id: string }[] }>(await owner.get(`${list}/numbers`));
  assert.equal(numbers.length, 2);
  assert.equal((await owner.send('DELETE', `${list}/numbers/${numbers[0]?.id}`)).status, 204);
  for (const number of [listed, known]) await owner.post(`${list}/numbers/remove`, { number });
  await owner.post(`${list}/ranges`, { prefix: known });
  await owner.post(`${list}/ranges`, { prefix: '+88213' });
  read(await owner.get(`${list}/ranges`));
  assert.equal((await owner.send('DELETE', `${list}/ranges/88213`)).status, 204);
}

export async function walkGuard({ evidence }: Walk, owner: Visitor, account: string): Promise<void> {
  const path = `/portal/api/accounts/${account}/guard`;
  const rule = { action: 'deny', subject: 'number', ends_at: null, reason: 'pumped' };
  const known = evidence.number();
  for (const value of [known, `${known}x`]) await owner.post(`${path}/rules`, { ...rule, value });
  const rules = read<readonly { id: string }[]>(await owner.get(`${path}/rules`));
  assert.equal(rules.length, 1);
  assert.equal((await owner.send('DELETE', `${path}/rules/${rules[0]?.id}`)).status, 204);
  for (const part of ['', '/refusals', '/evidence?place=range4']) read(await owner.get(`${path}${part}`));
  read(await owner.post(`${path}/backtest`, { mode: 'enforce', days: 30 }));
}
