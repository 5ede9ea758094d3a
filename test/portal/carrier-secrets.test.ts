/** What a carrier is reached with never comes to a browser: in no answer, no page, no script. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { after, before, suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { eventually, freshNumber } from '../acceptance/client.ts';
import { LOOPBACK } from '../events/endpoint.ts';
import { assertNothingIn, Evidence } from '../faults/evidence.ts';
import { listRoutes, type Route } from './catalogue.ts';
import { firstAccount, logOf, type PortalRig, read, startPortal, type Visitor } from './rig.ts';
import { CARRIERS, MARKS, unmarked } from './secrecy/carriers.ts';

const BUILD = fileURLToPath(new URL('../../portal/dist/', import.meta.url));
/** A stream that does not end. */
const STREAM = '/events';
const NO_SMS = ['asterisk', 'meta', 'google', 'telegram', 'simulator'];
const SMS = Object.keys(CARRIERS).filter((name) => !NO_SMS.includes(name));

/** What carriers were asked for, and what they are asked for last leads to whoever fails. */
const CONFIG = {
  publicUrl: 'https://verify.example',
  carriers: CARRIERS,
  routes: [
    { channel: 'sms', carriers: SMS },
    { channel: 'voice', carriers: ['asterisk', 'vonage', 'sinch'] },
    { channel: 'whatsapp', carriers: ['meta', 'vonage'] },
    { channel: 'telegram', carriers: ['telegram'] },
    { channel: 'rcs', carriers: ['google', 'vonage', 'sinch'] },
  ],
  webhooks: { privateNetworks: LOOPBACK },
};

test('every secret option of every type of carrier has a value that is looked for', () => {
  assert.deepEqual(unmarked(), []);
  assert.equal(new Set(MARKS).size, MARKS.length);
});

suite('with a secret in each option that takes one', () => {
  const evidence = new Evidence(MARKS);
  const closers: (() => unknown)[] = [];
  let rig: PortalRig;
  let owner: Visitor;
  let routes: readonly Route[];
  let ids: Readonly<Record<string, string>>;

  before(async () => {
    rig = await startPortal({ after: (close) => void closers.push(close) }, { config: CONFIG });
    owner = await rig.setUp();
    routes = await listRoutes(rig.visitor());
    const { id: account } = await firstAccount(owner);
    const base = `/portal/api/accounts/${account}`;
    const restrictions = { channels: [], countries: [], sources: [] };
    const key = { name: 'shop', test: false, expires_at: null, restrictions };
    const { secret } = read<{ secret: string }>(await owner.post(`${base}/keys`, key));
    // Every carrier of a route is asked, and fails.
    const { client } = rig.service;
    const sent = await client.verify(freshNumber(), 'sms', { key: secret });
    for (const { channel } of CONFIG.routes) await client.verify(freshNumber(), channel, { key: secret });
    const endpoint = { url: 'https://127.0.0.1:1/hook', types: [] };
    const { webhook } = read<{ webhook: { id: string } }>(await owner.post(`${base}/webhooks`, endpoint));
    const tried = await owner.post(`${base}/webhooks/${webhook.id}/test`);
    const { message } = read<{ message: string }>(tried);
    ids = { account, message, verifications: sent.json.id ?? '', webhooks: webhook.id };
  });
  after(async () => {
    for (const close of closers.reverse()) await close();
  });

  const pathOf = (route: Route): string => {
    const of = /\{account\}\/([\w-]+)/.exec(route.template)?.[1] ?? '';
    const { account = '', message = '' } = ids;
    const id = ids[of];
    return route.path({ account, message, ...(id !== undefined && { id }) }) + route.query;
  };

  test('the carriers were asked, and say why they failed', async () => {
    const failed = await eventually(async () => {
      const health = read<readonly { name: string; installation: { last_error: unknown } }[]>(
        await owner.get(`/portal/api/accounts/${ids.account}/carriers`),
      );
      const silent = health.filter(({ installation }) => installation.last_error === null);
      return silent.every(({ name }) => name === 'simulator') ? health : undefined;
    });
    assert.ok(failed !== undefined);
  });

  test('no route answers with one', async () => {
    const answered = new Set<string>();
    // Reading comes first: what follows removes things.
    for (const route of [...routes].sort((a, b) => Number(a.changes) - Number(b.changes))) {
      if (route.template.endsWith(STREAM) || route.name === 'DELETE session') continue;
      if (route.name === 'DELETE me/sessions') continue;
      const number = { number: freshNumber(), channel: 'sms' };
      const body = route.name.endsWith('/explain') ? number : route.body;
      const answer = await owner.send(route.method, pathOf(route), body);
      assertNothingIn(evidence, route.name, JSON.stringify(answer.headers) + answer.text);
      if (answer.status === 200) answered.add(route.name);
    }
    const unread = routes.filter(({ method, template, ofAccount }) => {
      const isRead = method === 'GET' && ofAccount && !template.endsWith(STREAM);
      return isRead && !answered.has(`GET ${template.slice('/portal/api/'.length)}`);
    });
    assert.deepEqual(
      unread.map(({ name }) => name),
      [],
      'each that reads was read',
    );
    assert.ok(answered.has('POST accounts/{account}/explain'));
  });

  test('no page, script or description has one', async () => {
    const files = readdirSync(BUILD, { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile() && !/\.(br|gz)$/.test(file.name))
      .map(({ parentPath, name }) => `/portal/${`${parentPath}/${name}`.slice(BUILD.length)}`);
    assert.ok(files.some((path) => path.endsWith('.js')));
    const pages = ['/portal/', '/portal/sign-in', `/portal/accounts/${ids.account}/carriers`];
    const described = ['/portal/openapi.json', '/openapi.json', '/docs', '/problems/not-found'];
    let answered = 0;
    for (const path of [...pages, ...described, ...files]) {
      const { status, text } = await owner.get(path);
      assertNothingIn(evidence, path, text);
      if (status === 200) answered++;
    }
    assert.ok(answered > 10, `${answered} of ${files.length}`);
  });

  test('neither has the log, nor what is measured', async () => {
    const metrics = await rig.service.client.get('/metrics', { key: null });
    assertNothingIn(evidence, 'the metrics', metrics.text);
    assertNothingIn(evidence, 'the log', await logOf(rig.service));
  });
});
