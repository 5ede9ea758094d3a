/** Changes in the portal of one node, as the other nodes see them. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { after, before, test } from 'node:test';
import { eventually, freshNumber, type Message } from '../acceptance/client.ts';
import { firstAccount, openPortal, type PortalRig, read, readMe, type Visitor } from '../portal/rig.ts';
import type { Service } from '../service.ts';
import { startStopwatch } from '../stopwatch.ts';
import { startCluster } from './cluster.ts';

interface Created {
  readonly key: { readonly id: string };
  readonly secret: string;
}

/** A revocation, the end of an overlap, a setting: in effect on every node within a second of the answer. */
const WITHIN_MS = 1_000;

async function applies(isSo: () => Promise<boolean>): Promise<void> {
  const watch = startStopwatch();
  assert.ok(await eventually(async () => (await isSo()) || undefined, 30_000), `in vain: ${isSo}`);
  assert.ok(watch.read() <= WITHIN_MS, `only after ${Math.round(watch.read())} ms: ${isSo}`);
}

const parts = new AsyncDisposableStack();
let here: Service;
let there: Service;
let portal: PortalRig;
let owner: Visitor;
before(async () => {
  const cluster = parts.use(
    await startCluster({ withoutKeys: true, config: { limits: { requestsPerKey: [] } } }),
  );
  [here, there] = cluster.nodes;
  portal = await openPortal({ after: (close) => parts.defer(async () => void (await close())) }, here);
  owner = await portal.setUp();
});
after(() => parts.disposeAsync());

test('revocations, rotations and settings of one node take effect on the other within a second', async () => {
  const { id, name } = await firstAccount(owner);
  const path = `/portal/api/accounts/${id}`;
  const restrictions = { channels: [], countries: [], sources: [] };
  const body = { name: 'shop', test: true, expires_at: null, restrictions };
  const add = async () => read<Created>(await owner.post(`${path}/keys`, body));
  const verify = (key: string) => there.client.verify(freshNumber(), 'sms', { key });
  const statusOf = async (key: string) => (await verify(key)).status;

  const [revoked, rotated] = [await add(), await add()];
  for (const { secret } of [revoked, rotated]) assert.equal(await statusOf(secret), 200);
  read(await owner.post(`${path}/keys/${revoked.key.id}/revoke`));
  await applies(async () => (await statusOf(revoked.secret)) === 401);

  const rotate = `${path}/keys/${rotated.key.id}/rotate`;
  const next = read<Created>(await owner.post(rotate, { overlap_minutes: 60 }));
  for (const { secret } of [rotated, next]) assert.equal(await statusOf(secret), 200);
  read(await owner.post(`${path}/keys/${rotated.key.id}/revoke`));
  await applies(async () => (await statusOf(rotated.secret)) === 401);
  assert.deepEqual([await statusOf(rotated.secret), await statusOf(next.secret)], [401, 200]);

  const settings = { name, brand: 'Elsewhere', locale: null, code_length: 9, countries: [] };
  const limits = {
    sends_per_destination: null,
    failed_guesses_per_destination: null,
    budgets: null,
    guard: null,
  };
  read(await owner.send('PUT', `${path}/settings`, { ...settings, ...limits }));
  const to = { key: next.secret };
  let message: Message | undefined;
  await applies(async () => {
    const number = freshNumber();
    const { id: issued } = read<{ id: string }>(await there.client.verify(number, 'sms', to));
    message = await there.client.message(number, issued, to);
    return /^\d{9}$/.test(message.code);
  });
  assert.match(message?.text ?? '', /Elsewhere/);
});

test('a session, its end, and the end of a membership apply to all nodes', async () => {
  const guest = await portal.join(owner, 'developer', 'dev@example.com');
  const elsewhere = portal.visitor(there);
  for (const [cookie, value] of guest.cookies) elsewhere.cookies.set(cookie, value);
  const { id } = await firstAccount(owner);
  const keys = `/portal/api/accounts/${id}/keys`;
  assert.equal((await elsewhere.get(keys)).status, 200);
  const { id: guestId } = await readMe(guest);
  assert.equal((await owner.send('DELETE', `/portal/api/accounts/${id}/members/${guestId}`)).status, 204);
  assert.equal((await elsewhere.get(keys)).status, 404);
  assert.equal((await guest.send('DELETE', '/portal/api/session')).status, 204);
  assert.equal((await elsewhere.get('/portal/api/me')).status, 401);
});

test('wrong passwords are counted together, whichever node judges them', async () => {
  const strangers = [portal.visitor(here), portal.visitor(there)] as const;
  const statuses: number[] = [];
  for (const stranger of [...strangers, ...strangers, ...strangers, ...strangers]) {
    const guess = { email: portal.owner, password: 'not-the-password' };
    statuses.push((await stranger.post('/portal/api/session', guess)).status);
  }
  assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429, 429, 429]);
});

test('the handset on one node shows what another node has sent', async (t) => {
  const { id } = await firstAccount(owner);
  const restrictions = { channels: [], countries: [], sources: [] };
  const body = { name: 'shop', test: true, expires_at: null, restrictions };
  const { secret } = read<Created>(await owner.post(`/portal/api/accounts/${id}/keys`, body));

  const cookie = [...owner.cookies].map((pair) => pair.join('=')).join('; ');
  const events = new URL(`/portal/api/accounts/${id}/handset/events`, there.baseUrl);
  const watching = get(events, { ca: there.ca, headers: { cookie }, agent: false });
  t.after(() => watching.destroy());
  const [stream] = (await once(watching, 'response')) as [IncomingMessage];
  assert.equal(stream.statusCode, 200);
  let text = '';
  stream.setEncoding('utf8').on('error', () => {});
  stream.on('data', (chunk: string) => {
    text += chunk;
  });
  for (let i = 0; i < 3; i++) {
    const { id: issued, code } = await here.client.issue(freshNumber(), 'sms', { key: secret });
    const shown = await eventually(async () => (text.includes(`"${issued}"`) ? text : undefined));
    assert.ok(shown?.includes(`"code":"${code}"`), 'it comes within moments');
  }
});
