/** A provider of single sign-on that we did not write (the npm package `oidc-provider`), with people who sign in there. */
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import Provider, { type Context } from 'oidc-provider';
import { createMemoryAdapter } from 'oidc-provider/lib/adapters/memory_adapter.js';
import type { Scope } from '../rig.ts';
import { CLIENT_ID, CLIENT_SECRET } from './client.ts';

/** A person as the provider knows them. */
export interface Account {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
}

export interface RealProvider {
  readonly issuer: string;
  /** Who uses the browser. */
  person: Account;
  /** Requests such as `POST /token`, in order. */
  readonly requests: string[];
  /** Registers the service: providers send browsers nowhere else. */
  register(redirectUris: readonly string[], client?: Record<string, unknown>): void;
}

const NOBODY: Account = { sub: 'nobody' };

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
/** The package warns of each default that is not for production. */
const NO_DEFAULTS = {
  adapter: createMemoryAdapter(),
  jwks: { keys: [privateKey.export({ format: 'jwk' })] },
  ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
};

export async function startProvider(
  scope: Scope,
  configuration: Record<string, unknown> = {},
): Promise<RealProvider> {
  let handle: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url?.split('?')[0]}`);
    handle?.(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  scope.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  const issuer = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;

  const real: RealProvider = {
    issuer,
    person: NOBODY,
    requests,
    register(redirectUris, client = {}) {
      const provider = new Provider(issuer, {
        clients: [
          { client_id: CLIENT_ID, client_secret: CLIENT_SECRET, redirect_uris: redirectUris, ...client },
        ],
        findAccount: (_context: unknown, sub: string) => ({
          accountId: sub,
          claims: () => ({ ...real.person, sub }),
        }),
        claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
        interactions: { url: () => '/interaction' },
        features: { devInteractions: { enabled: false } },
        cookies: { keys: ['of the test'] },
        loadExistingGrant: consent,
        ...NO_DEFAULTS,
        ...configuration,
      });
      const serve = provider.callback();
      handle = (request, response) => {
        if (request.url !== '/interaction') return serve(request, response);
        const { sub } = real.person;
        const result = sub === NOBODY.sub ? { error: 'access_denied' } : { login: { accountId: sub } };
        provider
          .interactionFinished(request, response, result)
          .catch((error: Error) => response.destroy(error));
      };
    },
  };
  return real;
}

/** Consent is given without asking. */
async function consent({ oidc: { provider, client, session } }: Context) {
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
  grant.addOIDCScope('openid email profile');
  await grant.save();
  return grant;
}
