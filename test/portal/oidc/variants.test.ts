/** How real providers differ: how they sign, how clients authenticate, where addresses are. */
import assert from 'node:assert/strict';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { suite, type TestContext, test } from 'node:test';
import { SYSTEM_CLOCK } from '../../../src/core/seams/clock.ts';
import { SYSTEM_RANDOM } from '../../../src/core/seams/random.ts';
import { beginFlow } from '../../../src/identity/oidc/flow.ts';
import { Provider } from '../../../src/identity/oidc/provider.ts';
import { CLIENT_ID, CLIENT_SECRET } from './client.ts';
import { startProvider } from './provider.ts';
import { signInThere } from './walk.ts';

const REDIRECT_URI = 'https://localhost:8443/portal/api/oidc/sso/callback';

interface Variant {
  readonly provider?: Record<string, unknown>;
  readonly client?: Record<string, unknown>;
  readonly clientSecret?: string | undefined;
}

async function signIn(t: TestContext, { provider: configuration = {}, client = {}, clientSecret }: Variant) {
  const real = await startProvider(t, configuration);
  real.register([REDIRECT_URI], client);
  real.person = { sub: 'olive', email: 'owner@example.com', email_verified: true, name: 'Olive' };
  const provider = new Provider(SYSTEM_CLOCK, 'sso', {
    issuer: real.issuer,
    clientId: CLIENT_ID,
    clientSecret,
    scopes: ['openid', 'email', 'profile'],
    verifiedClaim: 'email_verified',
    newcomers: [],
  });
  const flow = beginFlow({ random: SYSTEM_RANDOM }, REDIRECT_URI, Date.now());
  const started = await provider.start(flow);
  assert.ok(started.kind === 'started', JSON.stringify(started));
  const back = new URL(await signInThere(started.url), REDIRECT_URI);
  return { finished: await provider.finish(flow, back.searchParams), real };
}

function assertOlive({ finished, real }: Awaited<ReturnType<typeof signIn>>): void {
  const identity = { issuer: real.issuer, subject: 'olive', email: 'owner@example.com', name: 'Olive' };
  assert.deepEqual(finished, { kind: 'finished', identity });
}

suite('signatures', () => {
  const rsa = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
  const algorithms: Readonly<Record<string, () => { readonly privateKey: KeyObject }>> = {
    RS256: rsa,
    PS256: rsa,
    ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    EdDSA: () => generateKeyPairSync('ed25519'),
  };
  for (const [algorithm, make] of Object.entries(algorithms)) {
    test(`of ${algorithm} are checked`, async (t) => {
      const keys = [{ ...make().privateKey.export({ format: 'jwk' }), kid: 'a', use: 'sig', alg: algorithm }];
      const provider = {
        jwks: { keys },
        enabledJWA: { idTokenSigningAlgValues: [algorithm] },
        clientDefaults: { id_token_signed_response_alg: algorithm },
      };
      assertOlive(await signIn(t, { provider, clientSecret: CLIENT_SECRET }));
    });
  }
});

suite('the client', () => {
  test('sends its secret in the body if the provider wants it there', async (t) => {
    const method = 'client_secret_post';
    const provider = { clientAuthMethods: [method] };
    const client = { token_endpoint_auth_method: method };
    assertOlive(await signIn(t, { provider, client, clientSecret: CLIENT_SECRET }));
  });

  test('needs no secret if it is public', async (t) => {
    const client = { token_endpoint_auth_method: 'none', client_secret: undefined };
    assertOlive(await signIn(t, { client }));
  });

  test('is refused with a wrong secret', async (t) => {
    const { finished } = await signIn(t, { clientSecret: 'of-somebody-else' });
    assert.ok(finished.kind === 'invalid');
    assert.match(finished.reason, /invalid_client|CHALLENGE/);
  });
});

test('the address comes from the ID token, or from UserInfo if it has none', async (t) => {
  const within = await signIn(t, { provider: { conformIdTokenClaims: false }, clientSecret: CLIENT_SECRET });
  assertOlive(within);
  assert.ok(!within.real.requests.includes('GET /me'));
  const beside = await signIn(t, { clientSecret: CLIENT_SECRET });
  assertOlive(beside);
  assert.ok(beside.real.requests.includes('GET /me'));
});
