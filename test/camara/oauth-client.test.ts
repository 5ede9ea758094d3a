/** Tokens, as a client gets them that nobody here wrote (oauth4webapi, which is certified for OpenID Connect). */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as oauth from 'oauth4webapi';
import { freshNumber } from '../acceptance/client.ts';
import { startCamara } from './rig.ts';

const cleanups: (() => unknown)[] = [];
let rig: Awaited<ReturnType<typeof startCamara>>;
before(async () => {
  rig = await startCamara({ after: (close) => cleanups.push(close) });
});
after(async () => {
  for (const close of cleanups.reverse()) await close();
});

/** What the library asks goes by the client of the tests, which knows the certificate. */
const options = {
  [oauth.customFetch]: async (
    url: string,
    { method, headers, body }: oauth.CustomFetchOptions<string, URLSearchParams | undefined>,
  ) => {
    const { pathname } = new URL(url);
    const form = { 'content-type': 'application/x-www-form-urlencoded', ...headers };
    const {
      status,
      text,
      headers: said,
    } = await (method === 'GET'
      ? rig.client.get(pathname, { key: null, headers })
      : rig.client.post(pathname, undefined, { key: null, headers: form, raw: String(body) }));
    return new Response(text, {
      status,
      headers: Object.entries(said).map(([name, it]) => [name, String(it)]),
    });
  },
};

const CLIENT: oauth.Client = { client_id: 'shop' };

async function discover(): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(`${rig.service.baseUrl}/camara`);
  return oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, options));
}

async function tokenFor(authentication: oauth.ClientAuth, scope: string) {
  const server = await discover();
  const asked = await oauth.clientCredentialsGrantRequest(
    server,
    CLIENT,
    authentication,
    new URLSearchParams({ scope }),
    options,
  );
  return oauth.processClientCredentialsResponse(server, CLIENT, asked);
}

const SCOPE = 'one-time-password-sms:send-validate';

for (const [what, authenticate] of [
  ['the form', oauth.ClientSecretPost],
  ['HTTP Basic', oauth.ClientSecretBasic],
] as const) {
  test(`a client finds the token endpoint, and gets a token that sends, by ${what}`, async () => {
    const { access_token, expires_in, token_type } = await tokenFor(authenticate(rig.key), SCOPE);
    assert.deepEqual([expires_in, token_type], [3_600, 'bearer']);
    const { status } = await rig.sendTo('v2', freshNumber(), {}, { key: access_token });
    assert.equal(status, 200);
  });
}

test('a client understands why it gets none', async () => {
  await assert.rejects(tokenFor(oauth.ClientSecretPost('nonsense'), SCOPE), (error) => {
    // A challenge says it where HTTP has words for it (RFC 6749, section 5.2).
    assert.ok(error instanceof oauth.WWWAuthenticateChallengeError);
    assert.equal(error.cause[0]?.scheme, 'basic');
    return error.status === 401;
  });
  await assert.rejects(tokenFor(oauth.ClientSecretPost(rig.key), 'openid'), (error) => {
    assert.ok(error instanceof oauth.ResponseBodyError);
    return error.error === 'invalid_scope';
  });
});

test('what is discovered is only read', async () => {
  const path = '/camara/.well-known/openid-configuration';
  const { status, headers } = await rig.client.post(path, {}, { key: null });
  assert.deepEqual([status, headers.allow], [405, 'GET']);
});
