/** Who asks: by an API key as bearer, or by an access token that stands for one (RFC 6750). */
import type { FastifyReply } from 'fastify';
import { isWellFormedKey } from '../../core/accounts/api-key-format.ts';
import {
  type Authenticate,
  bearerToken,
  type Identified,
  type RequestHook,
} from '../admission/authentication.ts';
import { type OpenedToken, openToken, SEND_VALIDATE, type TokenDeps } from './access-token.ts';
import { type CamaraRefusal, sendCamaraRefusal } from './errors.ts';

const UNAUTHENTICATED: CamaraRefusal = {
  code: 'UNAUTHENTICATED',
  message:
    'Send an API key of this service, or an access token made with one, in the header Authorization: Bearer',
};

const INVALID_TOKEN: CamaraRefusal = {
  code: 'UNAUTHENTICATED',
  message: 'The API key or access token is unknown, has ended, or may not be used from this address',
};

export const OFF = 'CAMARA is off for this account. An owner turns it on in the portal, under Settings';

const NO_SCOPE: CamaraRefusal = {
  code: 'PERMISSION_DENIED',
  message: `The access token lacks the scope ${SEND_VALIDATE}`,
};

/** Makes the hook that resolves the caller of an account for which this is on. */
export function requireBearer(authenticate: Authenticate, tokens: TokenDeps): RequestHook {
  return (request, reply, done) => {
    const given = bearerToken(request.headers.authorization);
    if (given === undefined) return challenge(reply, 'Bearer', UNAUTHENTICATED);
    const opened = read(given, tokens);
    if (opened === undefined) return challenge(reply, 'Bearer error="invalid_token"', INVALID_TOKEN);
    const admit = (identified: Identified) => {
      if (typeof identified === 'string') {
        return challenge(reply, 'Bearer error="invalid_token"', INVALID_TOKEN);
      }
      if (identified.settings?.camara !== true) {
        sendCamaraRefusal(reply, { code: 'PERMISSION_DENIED', message: OFF });
        return;
      }
      if (!opened.scopes.includes(SEND_VALIDATE)) {
        const header = `Bearer error="insufficient_scope", scope="${SEND_VALIDATE}"`;
        return challenge(reply, header, NO_SCOPE);
      }
      request.caller = identified;
      done();
    };
    const identified = authenticate(opened.key, request.clientAddress);
    if (identified instanceof Promise) identified.then(admit, done);
    else admit(identified);
  };
}

function read(given: string, tokens: TokenDeps): OpenedToken | undefined {
  return isWellFormedKey(given) ? { key: given, scopes: [SEND_VALIDATE] } : openToken(tokens, given);
}

function challenge(reply: FastifyReply, header: string, refusal: CamaraRefusal): void {
  sendCamaraRefusal(reply.header('www-authenticate', header), refusal);
}
