/** Single sign-on across restarts, on several nodes, and while the provider fails. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../../acceptance/client.ts';
import { startCluster } from '../../nodes/cluster.ts';
import type { Service } from '../../service.ts';
import { OWNER, PASSWORD, read, startPortal } from '../rig.ts';
import { CLIENT_ID, CLIENT_SECRET } from './client.ts';
import { ACCESS_TOKEN, startForger } from './forger.ts';
import { startProvider } from './provider.ts';
import {
  ANEW,
  begin,
  callbackOf,
  finish,
  locationOf,
  refused,
  signInThere,
  startSingleSignOn,
} from './walk.ts';

const OLIVE = { sub: 'olive', email: OWNER, email_verified: true };

test('a sign-in that began on one node can finish on another, once', async (t) => {
  const provider = await startProvider(t);
  const sso = { issuer: provider.issuer, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET };
  await using cluster = await startCluster({ config: { portal: { oidc: { sso } } } });
  const [first, second] = cluster.nodes;
  provider.register([callbackOf(first.baseUrl)]);
  provider.person = OLIVE;
  const token = await eventually(async () => /\/portal\/setup#([\w-]{43})\s/.exec(first.logs())?.[1]);
  const headers = { 'sec-fetch-site': 'same-origin' };
  const body = { token, name: 'Olive', email: OWNER, password: PASSWORD };
  assert.equal((await first.client.post('/portal/api/setup', body, { key: null, headers })).status, 204);

  const get = ({ client }: Service, path: string, cookie = '') =>
    client.send('GET', path, undefined, { key: null, headers: { cookie } });
  const begun = await get(first, '/portal/api/oidc/sso');
  const [flow = ''] = begun.headers['set-cookie'] ?? [];
  const back = await signInThere(locationOf(begun));
  const finished = await get(second, back, flow.split(';')[0]);
  assert.equal(locationOf(finished), ANEW);
  const session = finished.headers['set-cookie']?.find((line) => line.startsWith('__Host-countersign='));
  const me = await get(first, '/portal/api/me', session?.split(';')[0]);
  assert.equal(read<{ email: string }>(me).email, OWNER);
  for (const node of cluster.nodes) {
    assert.equal(locationOf(await get(node, back, flow.split(';')[0])), refused('restart'));
  }
});

test('a sign-in that began before a restart can finish after it', async (t) => {
  const { setUp, visitor, provider, service } = await startSingleSignOn(t);
  await setUp();
  provider.person = OLIVE;
  const guest = visitor();
  const back = await signInThere(await begin(guest));
  await service.restart();
  assert.equal(await finish(guest, back), ANEW);
});

test('while the provider fails, nobody gets in, nothing is half done, and the log says why without secrets', async (t) => {
  const forger = await startForger(t);
  const sso = { issuer: forger.issuer, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET };
  const { setUp, visitor, service } = await startPortal(t, { config: { portal: { oidc: { sso } } } });
  const owner = await setUp();
  const secrets = [CLIENT_SECRET, ACCESS_TOKEN, 'the-code', OWNER];
  const guest = visitor();
  const attempt = async () => {
    const { searchParams } = new URL(await begin(guest), 'https://localhost');
    const state = searchParams.get('state');
    if (state === null) return 'not begun';
    forger.nonce = searchParams.get('nonce') ?? '';
    secrets.push(state, forger.nonce, ...guest.cookies.values());
    return finish(guest, `/portal/api/oidc/sso/callback?code=the-code&state=${state}`);
  };
  const outOfOrder = '/.well-known/openid-configuration';
  forger.instead.set(outOfOrder, (response) => response.writeHead(503).end());
  assert.equal(await begin(guest), refused('unreachable'));
  assert.equal(guest.cookies.size, 0);
  forger.instead.clear();
  for (const path of ['/token', '/keys']) {
    forger.instead.set(path, (response) => response.destroy());
    assert.equal(await attempt(), refused('unreachable'));
    forger.instead.clear();
  }
  forger.claims = (honest) => ({ ...honest, nonce: 'of-another-flow' });
  assert.equal(await attempt(), refused('invalid'));
  assert.equal((await guest.get('/portal/api/me')).status, 401);
  assert.equal(read<unknown[]>(await owner.get('/portal/api/me/sessions')).length, 1);
  assert.deepEqual(read<{ identities: unknown }>(await owner.get('/portal/api/me')).identities, []);
  forger.claims = (honest) => honest;
  assert.equal(await attempt(), ANEW);
  secrets.push(...forger.tokens, ...guest.cookies.values());

  // The log is written in batches.
  await service.stop();
  const told = service.logs();
  assert.match(told, /"provider":"sso","fault":"unreachable","reason":"UND_ERR_SOCKET"/);
  assert.match(told, /"fault":"invalid","reason":"OAUTH_JWT_CLAIM_COMPARISON_FAILED: [^"]*\\"nonce\\"/);
  for (const secret of secrets) assert.ok(!told.includes(secret), secret);
});
