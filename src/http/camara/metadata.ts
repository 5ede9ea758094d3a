/** What clients that look for the token endpoint find: OpenID Connect Discovery 1.0, as far as it is about client credentials. */
import type { FastifyInstance } from 'fastify';
import { SEND_VALIDATE } from './access-token.ts';
import { CAMARA_PATH, TOKEN_PATH } from './paths.ts';

export function registerMetadata(scope: FastifyInstance): void {
  scope.get('/.well-known/openid-configuration', async ({ protocol, host }, reply) => {
    // The issuer must be what the client asked for, and a service may be reached by several names.
    const issuer = `${protocol}://${host}${CAMARA_PATH}`;
    return reply.send({
      issuer,
      token_endpoint: `${issuer}${TOKEN_PATH}`,
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      grant_types_supported: ['client_credentials'],
      response_types_supported: [],
      scopes_supported: [SEND_VALIDATE],
    });
  });
}
