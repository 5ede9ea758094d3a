/** A provider that lies and fails on demand, which no real one does. It signs in anyone. */
import { createHmac, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { TestContext } from 'node:test';
import { CLIENT_ID } from './client.ts';

type Json = Record<string, unknown>;

export interface Key {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

export interface Forger {
  readonly issuer: string;
  /** The keys that it signs with, and the keys that it publishes. */
  key: Key;
  shown: readonly Key[];
  nonce: string;
  /** Changes to the honest document, claims and answers. */
  discovery: (honest: Json) => Json;
  claims: (honest: Json) => Json;
  token: (claims: Json) => string | undefined;
  userInfo: Json;
  /** Replaces the answer to a path, if it returns one. */
  readonly instead: Map<string, (response: ServerResponse) => void>;
  readonly requests: string[];
  /** Every ID token that it issued. */
  readonly tokens: string[];
  count(path: string): number;
}

export const ACCESS_TOKEN = 'access-token-of-the-test';

export function makeKey(kid: string = randomUUID()): Key {
  return { kid, ...generateKeyPairSync('ec', { namedCurve: 'P-256' }) };
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

export function signToken({ kid, privateKey }: Key, claims: Json): string {
  const text = `${encode({ alg: 'ES256', kid })}.${encode(claims)}`;
  const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${text}.${signature.toString('base64url')}`;
}

/** Signed with a secret that anyone may know. */
export function macToken(secret: string, kid: string, claims: Json): string {
  const text = `${encode({ alg: 'HS256', kid })}.${encode(claims)}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

export const bareToken = (kid: string, claims: Json): string =>
  `${encode({ alg: 'none', kid })}.${encode(claims)}.`;

export async function startForger(t: TestContext): Promise<Forger> {
  const server = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    forger.requests.push(path);
    request.resume();
    const instead = forger.instead.get(path);
    if (instead !== undefined) return instead(response);
    const answer = answers[path]?.();
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  const issuer = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const key = makeKey();
  const forger: Forger = {
    issuer,
    key,
    shown: [key],
    nonce: '',
    discovery: (honest) => honest,
    claims: (honest) => honest,
    token: (claims) => signToken(forger.key, claims),
    userInfo: {},
    instead: new Map(),
    requests: [],
    tokens: [],
    count: (path) => forger.requests.filter((asked) => asked === path).length,
  };
  const answers: Readonly<Record<string, () => Json>> = {
    '/.well-known/openid-configuration': () =>
      forger.discovery({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        userinfo_endpoint: `${issuer}/userinfo`,
        // It claims to sign with any algorithm: what we accept must not depend on that.
        id_token_signing_alg_values_supported: ['ES256', 'HS256', 'none'],
      }),
    '/keys': () => ({
      keys: forger.shown.map(({ kid, publicKey }) => ({ ...publicKey.export({ format: 'jwk' }), kid })),
    }),
    '/token': () => {
      const now = Math.floor(Date.now() / 1_000);
      const honest = {
        iss: issuer,
        aud: CLIENT_ID,
        sub: 'olive',
        iat: now,
        exp: now + 300,
        nonce: forger.nonce,
        email: 'owner@example.com',
        email_verified: true,
      };
      const token = forger.token(forger.claims(honest));
      if (token !== undefined) forger.tokens.push(token);
      return { access_token: ACCESS_TOKEN, token_type: 'Bearer', id_token: token };
    },
    '/userinfo': () => forger.userInfo,
  };
  return forger;
}
