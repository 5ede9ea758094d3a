/** The access token of a service account: given for a signed JWT, and valid for an hour (RFC 7523). */
import type { Clock } from '../../core/seams/clock.ts';
import { createMessageToken, type MessageToken } from '../gateway/message-token.ts';
import { postForm } from '../gateway/request.ts';
import { readServiceAccount } from './service-account.ts';

const SCOPE = 'https://www.googleapis.com/auth/rcsbusinessmessaging';
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const PATH = '/token';
const LIFETIME_S = 3_600;

/** @throws Error that names the option if the key cannot be used */
export function createServiceToken(
  clock: Pick<Clock, 'steady' | 'wall'>,
  { serviceAccount, tokenUrl }: { readonly serviceAccount: string; readonly tokenUrl: string },
): MessageToken {
  const origin = new URL(tokenUrl);
  const { email, sign } = readServiceAccount(serviceAccount);
  const aud = new URL(PATH, origin).href;
  return createMessageToken(clock, origin, () => {
    const issued = Math.floor(clock.wall() / 1_000);
    const claims = { iss: email, scope: SCOPE, aud, iat: issued, exp: issued + LIFETIME_S };
    return postForm(PATH, { grant_type: GRANT, assertion: sign(claims) });
  });
}
