/** The answer of a provider, or of an impostor, is believed only if it is signed, fresh and meant for us. */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { suite, type TestContext, test } from 'node:test';
import { SYSTEM_CLOCK } from '../../../src/core/seams/clock.ts';
import { SYSTEM_RANDOM } from '../../../src/core/seams/random.ts';
import { beginFlow } from '../../../src/identity/oidc/flow.ts';
import { type Finished, Provider, type ProviderOptions } from '../../../src/identity/oidc/provider.ts';
import { CLIENT_ID, CLIENT_SECRET } from './client.ts';
import { ACCESS_TOKEN, bareToken, type Forger, macToken, makeKey, signToken, startForger } from './forger.ts';

const NOW_S = () => Math.floor(Date.now() / 1_000);

const OPTIONS = {
  clientId: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
  scopes: ['openid', 'email'],
  verifiedClaim: 'email_verified',
  newcomers: [],
};

async function start(t: TestContext, options: Partial<ProviderOptions> = {}) {
  const forger = await startForger(t);
  const provider = new Provider(SYSTEM_CLOCK, 'sso', { ...OPTIONS, issuer: forger.issuer, ...options });
  /** A whole sign-in; `parameters` replace the honest ones on the way back. */
  const signIn = async (parameters: Record<string, string> = {}): Promise<Finished> => {
    const flow = beginFlow({ random: SYSTEM_RANDOM }, 'https://localhost:8443/callback', Date.now());
    const started = await provider.start(flow);
    if (started.kind !== 'started') return started;
    forger.nonce = new URL(started.url).searchParams.get('nonce') ?? '';
    return provider.finish(flow, new URLSearchParams({ code: 'a-code', state: flow.state, ...parameters }));
  };
  return { forger, provider, signIn };
}

function assertRefused(finished: Finished, kind: string, reason: RegExp, message = ''): void {
  assert.equal(finished.kind, kind, message);
  assert.match(finished.kind === 'finished' ? '' : finished.reason, reason, message);
}

test('an honest answer passes, even if the provider’s clock is a little off', async (t) => {
  const { forger, signIn } = await start(t);
  const identity = { issuer: forger.issuer, subject: 'olive', email: 'owner@example.com', name: undefined };
  assert.deepEqual(await signIn(), { kind: 'finished', identity });
  forger.claims = (honest) => ({ ...honest, exp: NOW_S() - 30 });
  assert.deepEqual(await signIn(), { kind: 'finished', identity });
});

test('a provider sends no browser to an address that is not encrypted', async (t) => {
  const issuer = 'https://sso.example.com';
  const document = { issuer, authorization_endpoint: 'http://sso.example.com/authorize' };
  t.mock.method(globalThis, 'fetch', async () => Response.json(document));
  const started = await new Provider(SYSTEM_CLOCK, 'sso', { ...OPTIONS, issuer }).start(
    beginFlow({ random: SYSTEM_RANDOM }, issuer, Date.now()),
  );
  assert.deepEqual(started, { kind: 'invalid', reason: 'insecure endpoint' });
});

suite('an ID token is refused', () => {
  const claims: Readonly<Record<string, readonly [change: object, reason: RegExp]>> = {
    'with another nonce': [{ nonce: 'of-another-flow' }, /"nonce"/],
    'without a nonce': [{ nonce: undefined }, /"nonce"/],
    'for another client': [{ aud: 'another' }, /"aud"/],
    'for others among whom we are not': [{ aud: ['another', 'third'] }, /"aud"/],
    'issued to another client': [{ aud: [CLIENT_ID, 'another'], azp: 'another' }, /"azp"/],
    'for several, issued to nobody': [{ aud: [CLIENT_ID, 'another'] }, /"aud"/],
    'of another issuer': [{ iss: 'https://accounts.google.com' }, /"iss"/],
    'that has expired': [{ exp: NOW_S() - 120 }, /"exp"/],
    'that never expires': [{ exp: undefined }, /"exp"/],
    'of an unknown time': [{ iat: undefined }, /"iat"/],
    'that is not valid yet': [{ nbf: NOW_S() + 300 }, /"nbf"/],
    'about nobody': [{ sub: undefined }, /"sub"/],
    'about somebody too long': [{ sub: 's'.repeat(256) }, /"sub"/],
  };
  for (const [name, [change, reason]] of Object.entries(claims)) {
    test(name, async (t) => {
      const { forger, signIn } = await start(t);
      forger.claims = (honest) => ({ ...honest, ...change });
      assertRefused(await signIn(), 'invalid', reason);
    });
  }

  const signatures: Readonly<Record<string, (forger: Forger) => Forger['token']>> = {
    'signed with another key of the same name': ({ key }) => {
      const other = makeKey(key.kid);
      return (honest) => signToken(other, honest);
    },
    'signed with a key that is not shown': () => {
      const other = makeKey();
      return (honest) => signToken(other, honest);
    },
    'not signed at all':
      ({ key }) =>
      (honest) =>
        bareToken(key.kid, honest),
    'with a signature of nothing':
      ({ key }) =>
      (honest) =>
        signToken(key, honest).replace(/[^.]*$/, ''),
    'signed with the public key as a secret': ({ key }) => {
      const pem = key.publicKey.export({ format: 'pem', type: 'spki' }).toString();
      return (honest) => macToken(pem, key.kid, honest);
    },
    'signed with the secret that it shares with us':
      ({ key }) =>
      (honest) =>
        macToken(CLIENT_SECRET, key.kid, honest),
    'changed after it was signed':
      ({ key }) =>
      (honest) => {
        const [header, , signature] = signToken(key, honest).split('.');
        const [, payload] = signToken(key, { ...honest, sub: 'oscar' }).split('.');
        return [header, payload, signature].join('.');
      },
    'that is not there': () => () => undefined,
    'that is none': () => () => 'not-a-token',
  };
  for (const [name, make] of Object.entries(signatures)) {
    test(name, async (t) => {
      const { forger, signIn } = await start(t);
      forger.token = make(forger);
      assertRefused(await signIn(), 'invalid', /./);
      assert.equal(forger.count('/token'), 1);
      assert.equal(forger.count('/userinfo'), 0);
    });
  }
});

suite('an answer is refused', () => {
  test('with another state, or from another issuer (RFC 9207)', async (t) => {
    const { forger, signIn } = await start(t);
    assertRefused(await signIn({ state: 'of-another-flow' }), 'invalid', /"state"/);
    assertRefused(await signIn({ iss: 'https://accounts.google.com' }), 'invalid', /"iss"/);
    assert.equal((await signIn({ iss: forger.issuer })).kind, 'finished');
    assertRefused(await signIn({ error: 'access_denied' }), 'denied', /\(access_denied\)$/);
    assertRefused(await signIn({ error: '<b>or what</b>' }), 'denied', /error$/);
  });

  test('without an issuer, if the provider says that it sends one', async (t) => {
    const { forger, signIn } = await start(t);
    forger.discovery = (honest) => ({ ...honest, authorization_response_iss_parameter_supported: true });
    assertRefused(await signIn(), 'invalid', /"iss"/);
    assert.equal(forger.count('/token'), 0);
  });

  test('with UserInfo about someone else', async (t) => {
    const { forger, signIn } = await start(t);
    forger.claims = ({ email: _, ...honest }) => honest;
    forger.userInfo = { sub: 'oscar', email: 'owner@example.com', email_verified: true };
    assertRefused(await signIn(), 'invalid', /"sub"/);
    forger.userInfo = { ...forger.userInfo, sub: 'olive' };
    assert.equal((await signIn()).kind, 'finished');
  });

  test('with a discovery document that names another issuer, until that is corrected', async (t) => {
    const { forger, provider, signIn } = await start(t);
    forger.discovery = (honest) => ({ ...honest, issuer: 'https://accounts.google.com' });
    assertRefused(await signIn(), 'invalid', /"issuer"/);
    assert.equal((await provider.check()).ok, false);
    forger.discovery = (honest) => honest;
    assert.equal((await signIn()).kind, 'finished');
    assert.equal((await provider.check()).ok, true);
  });
});

test('an address counts if the configured claim says so', async (t) => {
  const { forger, signIn } = await start(t, { verifiedClaim: 'xms_edov' });
  const emailOf = async (change: object) => {
    forger.claims = (honest) => ({ ...honest, ...change });
    const finished = await signIn();
    return finished.kind === 'finished' && finished.identity.email;
  };
  assert.equal(await emailOf({ xms_edov: true }), 'owner@example.com');
  assert.equal(await emailOf({ xms_edov: '1', email_verified: false }), 'owner@example.com');
  for (const verified of [undefined, false, 0, '0', 'false', null, {}, [true]]) {
    assert.equal(await emailOf({ xms_edov: verified, email_verified: true }), undefined);
  }
  for (const email of [
    '',
    'owner',
    '@example.com',
    'a@b@example.com',
    'a b@example.com',
    7,
    ['a@example.com'],
  ]) {
    assert.equal(await emailOf({ xms_edov: true, email }), undefined, String(email));
  }
});

test('new keys are found at once, and invented key ids are looked up only once', async (t) => {
  const { forger, signIn } = await start(t);
  assert.equal((await signIn()).kind, 'finished');
  assert.equal((await signIn()).kind, 'finished');
  assert.deepEqual([forger.count('/keys'), forger.count('/.well-known/openid-configuration')], [1, 1]);
  const [before, renewed] = [forger.key, makeKey()];
  forger.key = renewed;
  forger.shown = [renewed];
  assert.equal((await signIn()).kind, 'finished');
  assert.equal(forger.count('/keys'), 2);
  forger.key = before;
  assertRefused(await signIn(), 'invalid', /KEY_SELECTION/, 'the old key is good no more');
  for (let i = 0; i < 10; i++) {
    forger.key = makeKey();
    assertRefused(await signIn(), 'invalid', /KEY_SELECTION/);
  }
  assert.equal(forger.count('/keys'), 2);
});

suite('a provider that fails', () => {
  const failures: Readonly<
    Record<string, readonly [(response: ServerResponse) => void, kind: string, reason: RegExp]>
  > = {
    'is out of order': [(response) => response.writeHead(503).end(), 'unreachable', /NOT_CONFORM/],
    'hangs up': [(response) => response.destroy(), 'unreachable', /./],
    'answers without end': [
      (response) => {
        const more = () => {
          while (!response.destroyed && response.write('x'.repeat(65_536)));
        };
        response.writeHead(200, { 'content-type': 'application/json' }).on('drain', more);
        more();
      },
      'unreachable',
      /TOO_LARGE/,
    ],
    redirects: [
      (response) => response.writeHead(302, { location: '/userinfo' }).end(),
      'unreachable',
      /NOT_CONFORM/,
    ],
    'answers no JSON': [
      (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('<html>'),
      'invalid',
      /PARSE_ERROR/,
    ],
    'refuses the client': [
      (response) =>
        response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"invalid_client"}'),
      'invalid',
      /\(invalid_client\)$/,
    ],
  };
  for (const [name, [fail, kind, reason]] of Object.entries(failures)) {
    test(`${name}: it says so, and is tried again the next time`, async (t) => {
      const { forger, signIn } = await start(t);
      for (const path of ['/.well-known/openid-configuration', '/keys', '/token']) {
        if (kind === 'invalid' && reason.source.includes('client') && path !== '/token') continue;
        forger.instead.set(path, fail);
        assertRefused(await signIn(), kind, reason, path);
        forger.instead.clear();
      }
      assert.equal((await signIn()).kind, 'finished');
      assert.ok(!forger.requests.some((path) => path === '/userinfo'), 'no redirect was followed');
    });
  }
});

test('no reason contains anything that the provider or the browser sent', async (t) => {
  const { forger, signIn } = await start(t);
  const changes = [
    { nonce: 'n-o-n-c-e' },
    { aud: 'a-u-d' },
    { iss: 'https://i-s-s' },
    { exp: 1 },
    { sub: 's'.repeat(300) },
  ];
  const brought = /n-o-n-c-e|a-u-d|i-s-s|sssss|a-code|owner@|access-token/;
  for (const change of changes) {
    forger.claims = (honest) => ({ ...honest, ...change });
    const finished = await signIn();
    assert.ok(finished.kind !== 'finished');
    assert.doesNotMatch(finished.reason, brought);
    assert.ok(!finished.reason.includes(forger.tokens.at(-1) ?? ACCESS_TOKEN));
  }
});
