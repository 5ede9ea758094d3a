/** `POST /camara/oauth2/token`: an access token for a key (RFC 6749, section 4.4). The key is the client's secret. */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RequestHook } from '../admission/authentication.ts';
import { basicCredentials } from '../admission/basic.ts';
import { acceptOnlyForms, type Form, fieldOf } from '../form.ts';
import { SEND_VALIDATE, sealToken, TOKEN_SECONDS } from './access-token.ts';
import { OFF } from './credentials.ts';
import type { CamaraDeps } from './deps.ts';
import { TOKEN_PATH } from './paths.ts';

type OAuthError =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_scope'
  | 'unauthorized_client'
  | 'unsupported_grant_type';

/** Why personal data is processed (W3C DPV); at most one of them is named. */
const PURPOSE = /^dpv:[A-Za-z]{1,60}$/;

export function registerTokens(
  scope: FastifyInstance,
  deps: CamaraDeps,
  onRequest: RequestHook,
  failure: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => FastifyReply,
): void {
  scope.register(async (tokens) => {
    acceptOnlyForms(tokens);
    tokens.setErrorHandler((error: FastifyError, request, reply) =>
      error.statusCode !== undefined && error.statusCode < 500
        ? refuse(reply, 'invalid_request', 'Send a form: application/x-www-form-urlencoded, in UTF-8')
        : failure(error, request, reply),
    );
    tokens.post<{ Body: Form | undefined }>(TOKEN_PATH, { onRequest }, async (request, reply) => {
      const { body: form, headers, clientAddress } = request;
      if (fieldOf(form, 'grant_type') !== 'client_credentials') {
        return refuse(reply, 'unsupported_grant_type', 'grant_type must be client_credentials');
      }
      const basic = headers.authorization === undefined ? undefined : basicCredentials(headers.authorization);
      const key = basic === undefined ? fieldOf(form, 'client_secret') : formDecoded(basic.password);
      if (key === undefined)
        return refuse(reply, 'invalid_client', 'client_secret is missing: it is the API key');
      const identified = await deps.authenticate(key, clientAddress);
      if (typeof identified === 'string') {
        return refuse(reply, 'invalid_client', 'client_secret is not a valid API key of this service');
      }
      if (identified.settings?.camara !== true) return refuse(reply, 'unauthorized_client', OFF);
      const scopes = fieldOf(form, 'scope')?.split(/ +/) ?? [SEND_VALIDATE];
      const isKnown = scopes.every((each) => each === SEND_VALIDATE || PURPOSE.test(each));
      if (!isKnown || scopes.filter((each) => PURPOSE.test(each)).length > 1) {
        return refuse(
          reply,
          'invalid_scope',
          `scope may be ${SEND_VALIDATE}, and one purpose such as dpv:FraudPreventionAndDetection`,
        );
      }
      return reply.send({
        access_token: sealToken(deps, { key, scopes }),
        token_type: 'Bearer',
        expires_in: TOKEN_SECONDS,
        scope: scopes.join(' '),
      });
    });
  });
}

/** OAuth encodes both halves of HTTP Basic as in a form (RFC 6749, section 2.3.1); a key that is not encoded stays as it is. */
const formDecoded = (text: string) =>
  new URLSearchParams(`secret=${text.replaceAll('&', '%26')}`).get('secret') ?? '';

function refuse(reply: FastifyReply, error: OAuthError, error_description: string): FastifyReply {
  if (error !== 'invalid_client') return reply.code(400).send({ error, error_description });
  return reply
    .code(401)
    .header('www-authenticate', 'Basic realm="Countersign"')
    .send({ error, error_description });
}
