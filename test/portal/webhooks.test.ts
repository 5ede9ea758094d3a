/** Endpoints of webhooks as their owners change them in the portal, and what these then receive. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { EVENT_TYPES } from '../../src/core/events/event.ts';
import { eventually, faultyFields, freshNumber, problemOf } from '../acceptance/client.ts';
import { readProjectFile } from '../deploy/project.ts';
import { LOOPBACK, openEndpoint, type TestEndpoint, take } from '../events/endpoint.ts';
import { firstAccount, logOf, type PortalRig, read, sharePortal, type Visitor } from './rig.ts';

interface Webhook {
  readonly id: string;
  readonly url: string;
  readonly types: readonly string[];
  readonly full_numbers: boolean;
  readonly state: string;
  readonly last_failure: string | null;
  readonly disabled_why: string | null;
  readonly previous_secret_until: string | null;
}
interface WithSecret {
  readonly webhook: Webhook;
  readonly secret: string;
}
interface Message {
  readonly id: string;
  readonly type: string;
  readonly state: string;
  readonly tries: number;
  readonly last_answer: string | null;
  readonly next_try_at: string | null;
}

const GUIDE = readProjectFile('docs/webhooks.md');

const exampleOf = (guide: string): object => JSON.parse(/```json\n(.*?)```/s.exec(guide)?.[1] ?? '');

/** `type`, `data.id` and so on, but not what clients bring themselves. */
const fieldsOf = (event: object): string[] =>
  Object.entries(event).flatMap(([name, value]) =>
    name === 'data' ? Object.keys(value).map((field) => `data.${field}`) : [name],
  );

const openPlace = sharePortal({
  config: { webhooks: { privateNetworks: LOOPBACK }, limits: { requestsPerKey: [] } },
});

async function open(t: TestContext, rig: PortalRig, visitor: Visitor) {
  const endpoint = await openEndpoint();
  t.after(() => endpoint[Symbol.asyncDispose]());
  const { id } = await firstAccount(visitor);
  const base = `/portal/api/accounts/${id}`;
  const path = `${base}/webhooks`;
  const add = async (wanted: object = {}) => {
    const body = { url: endpoint.url, types: [], ...wanted };
    const added = read<WithSecret>(await visitor.post(path, body));
    endpoint.secrets = [added.secret];
    return added;
  };
  const makeKey = async () => {
    const bounds = { expires_at: null, restrictions: { channels: [], countries: [], sources: [] } };
    const answer = await visitor.post(`${base}/keys`, { name: 'shop', test: false, ...bounds });
    return read<{ secret: string }>(answer).secret;
  };
  const find = async (one: string) => read<Webhook>(await visitor.get(`${path}/${one}`));
  const messagesOf = async (one: string) =>
    read<{ messages: Message[]; next: string | null }>(await visitor.get(`${path}/${one}/messages`)).messages;
  /** The message once it is as it should be. */
  const until = async (one: string, wanted: (message: Message) => boolean): Promise<Message> => {
    const found = await eventually(async () => (await messagesOf(one)).find(wanted));
    assert.ok(found !== undefined, JSON.stringify(await messagesOf(one)));
    return found;
  };
  const audit = async () => {
    const log = await visitor.get(`${base}/audit`);
    return { text: log.text, entries: read<{ entries: { action: string; subject: string }[] }>(log).entries };
  };
  const { client } = rig.service;
  return { endpoint, path, add, makeKey, find, messagesOf, until, audit, client };
}

/** The first message of a type that came. Only those that the endpoint's secret has signed count. */
const arrived = async ({ received, faults }: TestEndpoint, type: string) => {
  const found = await eventually(async () => received.find((one) => one.type === type));
  assert.ok(found !== undefined, `no ${type}: ${faults}`);
  return found;
};

test('an endpoint is added, tried out, told what happens, and removed', async (t) => {
  const rig = await openPlace(t);
  const owner = await rig.setUp();
  const { endpoint, path, add, makeKey, find, messagesOf, until, client } = await open(t, rig, owner);
  assert.deepEqual(read<Webhook[]>(await owner.get(path)), []);
  const { webhook, secret } = await add();
  assert.match(secret, /^whsec_/);
  assert.deepEqual([webhook.state, webhook.types, webhook.full_numbers], ['unused', [], false]);

  const tested = read<{ message: string }>(await owner.post(`${path}/${webhook.id}/test`));
  const sent = await until(webhook.id, ({ state }) => state === 'sent');
  assert.deepEqual([sent.id, sent.type, sent.tries], [tested.message, 'webhook.test', 1]);
  assert.equal((await arrived(endpoint, 'webhook.test')).id, tested.message);
  const byCommand = () => rig.service.command('webhooks', 'test', webhook.id);
  assert.equal(await byCommand(), 'the endpoint took it\n');
  endpoint.behave((_, response) => void response.writeHead(500).end());
  await assert.rejects(byCommand(), /countersign: the endpoint did not take it: HTTP 500\n/);
  endpoint.behave(take);

  const number = freshNumber();
  const key = await makeKey();
  assert.equal((await client.verify(number, 'sms', { key })).status, 200);
  const requested = await arrived(endpoint, 'verification.requested');
  assert.ok(!requested.body.includes(number.slice(1)));
  const message = await until(
    webhook.id,
    ({ type, state }) => type === 'verification.requested' && state === 'sent',
  );
  const shown = read<{ message: Message; body: string }>(
    await owner.get(`${path}/${webhook.id}/messages/${message.id}`),
  );
  assert.equal(shown.body, requested.body, 'the page shows what was sent');
  assert.deepEqual(fieldsOf(JSON.parse(requested.body)), fieldsOf(exampleOf(GUIDE)), 'and so does the guide');
  assert.equal((await find(webhook.id)).state, 'works');

  assert.equal((await owner.send('DELETE', `${path}/${webhook.id}`)).status, 204);
  assert.equal((await owner.get(`${path}/${webhook.id}`)).status, 404);
  assert.deepEqual(read<Webhook[]>(await owner.get(path)), []);
  await assert.rejects(messagesOf(webhook.id), /404/);
});

test('the guide names every event', () => {
  const named = [...GUIDE.matchAll(/^\| `(\w+\.\w+)` \|/gm)].map(([, type]) => type);
  assert.deepEqual(named, EVENT_TYPES);
});

test('full numbers are sent to an endpoint that may have them, and shown to nobody', async (t) => {
  const rig = await openPlace(t);
  const owner = await rig.setUp();
  const { endpoint, path, add, makeKey, until, client } = await open(t, rig, owner);
  const { webhook } = await add({ full_numbers: true, types: ['verification.requested'] });
  const number = freshNumber();
  assert.equal((await client.verify(number, 'sms', { key: await makeKey() })).status, 200);
  assert.equal((await arrived(endpoint, 'verification.requested')).data.destination, number);
  const { id } = await until(webhook.id, ({ state }) => state === 'sent');
  const shown = await owner.get(`${path}/${webhook.id}/messages/${id}`);
  assert.ok(shown.status === 200 && !shown.text.includes(number.slice(1)));
  const types = new Set(endpoint.received.map(({ type }) => type));
  assert.deepEqual([...types], ['verification.requested'], 'nothing else was wanted');
});

test('a rotated secret signs at once, beside the one before; both are told once and revealed on request', async (t) => {
  const rig = await openPlace(t);
  const owner = await rig.setUp();
  const { endpoint, path, add, find, audit } = await open(t, rig, owner);
  const { webhook, secret } = await add();
  const rotated = read<WithSecret>(await owner.post(`${path}/${webhook.id}/rotate`));
  assert.notEqual(rotated.secret, secret);
  assert.ok(rotated.webhook.previous_secret_until !== null);
  assert.equal((await find(webhook.id)).previous_secret_until, rotated.webhook.previous_secret_until);
  for (const signing of [secret, rotated.secret]) {
    endpoint.secrets = [signing];
    endpoint.received.length = 0;
    await owner.post(`${path}/${webhook.id}/test`);
    await arrived(endpoint, 'webhook.test');
  }

  const revealed = read<WithSecret>(await owner.post(`${path}/${webhook.id}/reveal`));
  assert.equal(revealed.secret, rotated.secret);
  const { entries, text } = await audit();
  assert.deepEqual(
    entries.filter(({ subject }) => subject === webhook.id).map(({ action }) => action),
    [
      ...['webhook.secret-revealed', 'webhook.tested', 'webhook.tested'],
      ...['webhook.secret-rotated', 'webhook.added'],
    ],
  );
  const listed = await owner.get(path);
  for (const where of [text, listed.text, await logOf(rig.service)]) {
    assert.ok(!where.includes(secret) && !where.includes(rotated.secret));
  }
});

test('what an endpoint does not take waits, is shown with what came back, and is sent again', async (t) => {
  const rig = await openPlace(t);
  const owner = await rig.setUp();
  const { endpoint, path, add, find, until, messagesOf } = await open(t, rig, owner);
  const answer = (status: number) => endpoint.behave((_, response) => void response.writeHead(status).end());
  answer(500);
  const { webhook } = await add();
  const at = `${path}/${webhook.id}`;
  await owner.post(`${at}/test`);
  const failed = await until(webhook.id, ({ tries }) => tries > 0);
  assert.deepEqual([failed.state, failed.last_answer], ['waiting', 'HTTP 500']);
  assert.ok(failed.next_try_at !== null);
  const failuresOf = async () => {
    const detail = await owner.get(`${at}/messages/${failed.id}`);
    return read<{ failures: { answer: string }[] }>(detail).failures.map(({ answer: came }) => came);
  };
  assert.deepEqual([...new Set(await failuresOf())], ['HTTP 500']);
  const shown = await eventually(async () => {
    const found = await find(webhook.id);
    return found.state === 'failing' ? found : undefined;
  });
  assert.equal(shown?.last_failure, 'HTTP 500');
  assert.equal(problemOf(await owner.post(`${at}/messages/${failed.id}/replay`)), 'conflict');

  answer(410);
  await owner.post(`${at}/test`);
  const gone = await eventually(async () => {
    const found = await find(webhook.id);
    return found.state === 'disabled' ? found : undefined;
  });
  assert.equal(gone?.disabled_why, 'gone');
  for (const act of ['test', 'disable'])
    assert.equal(problemOf(await owner.post(`${at}/${act}`)), 'conflict');

  answer(204);
  assert.equal((await owner.post(`${at}/enable`)).status, 204);
  assert.equal(problemOf(await owner.post(`${at}/enable`)), 'conflict');
  await owner.post(`${at}/test`);
  const taken = await until(webhook.id, ({ state }) => state === 'sent');
  const before = endpoint.received.length;
  assert.equal((await owner.post(`${at}/messages/${taken.id}/replay`)).status, 204);
  const again = await eventually(async () =>
    endpoint.received.slice(before).find(({ id }) => id === taken.id),
  );
  assert.ok(again !== undefined, 'under the same id');
  await until(webhook.id, ({ id, state }) => id === taken.id && state === 'sent');

  const span = { from: '2026-01-01T00:00:00Z', to: '2099-01-01T00:00:00Z' };
  const replay = async (also_taken: boolean) =>
    read<{ messages: number }>(await owner.post(`${at}/replay`, { ...span, also_taken })).messages;
  assert.equal(await replay(false), 0);
  const takenBefore = (await messagesOf(webhook.id)).filter(({ state }) => state === 'sent').length;
  // What waits may be taken meanwhile.
  assert.ok((await replay(true)) >= takenBefore);
});

test('each invalid field is named, with what is expected', async (t) => {
  const rig = await openPlace(t);
  const owner = await rig.setUp();
  const { endpoint, path, add } = await open(t, rig, owner);
  const good = { url: endpoint.url, types: [] };
  const cases: [object, string[]][] = [
    [{ ...good, url: 'example.com' }, ['url']],
    [{ ...good, url: 'https://10.0.0.1/' }, ['url']],
    [{ ...good, url: 'https://user:word@example.com/' }, ['url']],
    [{ ...good, types: ['verification.forgotten'] }, ['types/0']],
    [{ ...good, full_numbers: 'yes' }, ['full_numbers']],
    [{ url: endpoint.url }, ['types']],
  ];
  for (const [body, fields] of cases) {
    const answer = await owner.post(path, body);
    assert.deepEqual([answer.status, faultyFields(answer)], [400, fields], answer.text);
  }
  const { webhook } = await add();
  const changed = await owner.send('PATCH', `${path}/${webhook.id}`, { url: 'ftp://example.com/' });
  assert.deepEqual(faultyFields(changed), ['url']);
  const backwards = { from: '2026-11-02T00:00:00Z', to: '2026-11-01T00:00:00Z', also_taken: false };
  assert.deepEqual(faultyFields(await owner.post(`${path}/${webhook.id}/replay`, backwards)), ['to']);
  const page = await owner.get(`${path}/${webhook.id}/messages?before=x`);
  assert.deepEqual(faultyFields(page), ['before']);
  for (let count = 1; count < 10; count++) await add();
  assert.equal(problemOf(await owner.post(path, good)), 'conflict');
});

test('developers change endpoints, viewers see them, and full numbers are for owners to give', async (t) => {
  const rig = await openPlace(t);
  const owner = await rig.setUp();
  const { endpoint, path, add } = await open(t, rig, owner);
  const { webhook } = await add();
  const at = `${path}/${webhook.id}`;
  const developer = await rig.join(owner, 'developer', `dev@${rig.domain}`);
  const viewer = await rig.join(owner, 'viewer', `view@${rig.domain}`);
  assert.equal(read<Webhook[]>(await viewer.get(path)).length, 1);
  assert.equal(read<{ messages: unknown[] }>(await viewer.get(`${at}/messages`)).messages.length, 0);
  for (const act of ['reveal', 'rotate', 'enable', 'disable', 'test']) {
    assert.equal(problemOf(await viewer.post(`${at}/${act}`)), 'forbidden');
  }

  const other = read<{ id: string }>(
    await owner.post('/portal/api/accounts', { name: `Other of ${rig.domain}` }),
  );
  const elsewhere = `/portal/api/accounts/${other.id}/webhooks/${webhook.id}`;
  for (const act of ['reveal', 'rotate', 'enable', 'disable', 'test']) {
    assert.equal((await owner.post(`${elsewhere}/${act}`)).status, 404);
  }
  assert.equal((await owner.send('PATCH', elsewhere, { types: [] })).status, 404);
  assert.equal((await owner.send('DELETE', elsewhere)).status, 404);

  const body = { url: endpoint.url, types: [] };
  assert.equal((await developer.post(path, body)).status, 201);
  assert.equal(problemOf(await developer.post(path, { ...body, full_numbers: true })), 'forbidden');
  const change = (by: Visitor, wanted: object) => by.send('PATCH', at, wanted);
  assert.equal((await change(developer, { url: `${endpoint.url}2` })).status, 200);
  assert.equal(problemOf(await change(developer, { full_numbers: true })), 'forbidden');
  assert.equal(read<Webhook>(await change(owner, { full_numbers: true })).full_numbers, true);
  assert.equal(problemOf(await change(developer, { url: endpoint.url })), 'forbidden');
  assert.equal((await change(developer, { types: ['delivery.failed'] })).status, 200);
  for (const act of ['reveal', 'rotate']) {
    assert.equal(problemOf(await developer.post(`${at}/${act}`)), 'forbidden');
    assert.equal((await owner.post(`${at}/${act}`)).status, 200);
  }
  assert.equal((await developer.post(`${at}/disable`)).status, 204, 'a stop is for everybody');
  assert.equal(problemOf(await developer.post(`${at}/enable`)), 'forbidden');
  assert.equal((await owner.post(`${at}/enable`)).status, 204);
  assert.equal(read<Webhook>(await change(developer, { full_numbers: false })).full_numbers, false);
});
