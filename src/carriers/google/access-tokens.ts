/** Access tokens for a service account: a signed JWT in exchange for a token that is valid for an hour (RFC 7523). */
import type { Clock } from '../../core/seams/clock.ts';
import type { AskGateway } from '../gateway/carrier.ts';
import { judgeError } from '../gateway/errors.ts';
import { parseAnswer, textAt } from '../gateway/json-answer.ts';
import { postForm } from '../gateway/request.ts';
import { isSuccess, type Verdict } from '../gateway/verdict.ts';
import { TOKEN_ERRORS } from './errors.ts';
import { readServiceAccount } from './service-account.ts';

const SCOPE = 'https://www.googleapis.com/auth/rcsbusinessmessaging';
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const PATH = '/token';
const LIFETIME_S = 3_600;
/** Asked for anew this long before its end: a request takes its time, and clocks differ. */
const MARGIN_MS = 300_000;

export interface AccessTokens {
  /** A token, or what becomes of a message without one. */
  get(ask: AskGateway): Promise<string | Verdict>;
  /** It was refused. */
  forget(token: string): void;
}

/** @throws Error that names the option if the key cannot be used */
export function createAccessTokens(
  { wall }: Pick<Clock, 'wall'>,
  { serviceAccount, tokenUrl }: { readonly serviceAccount: string; readonly tokenUrl: string },
): AccessTokens {
  const origin = new URL(tokenUrl);
  const { email, sign } = readServiceAccount(serviceAccount);
  let kept: { readonly token: string; readonly until: number } | undefined;
  /** Messages that come together share a question, unless it fails. */
  let asking: Promise<string | Verdict> | undefined;

  const valid = () => (kept !== undefined && wall() < kept.until ? kept.token : undefined);

  async function exchange(ask: AskGateway): Promise<string | Verdict> {
    const issued = Math.floor(wall() / 1_000);
    const aud = new URL(PATH, origin).href;
    const claims = { iss: email, scope: SCOPE, aud, iat: issued, exp: issued + LIFETIME_S };
    const answer = await ask(postForm(PATH, { grant_type: GRANT, assertion: sign(claims) }), origin);
    if ('kind' in answer) return { outcome: withoutDoubt(answer) };
    const body = parseAnswer(answer.body);
    const token = textAt(body, 'access_token');
    if (!isSuccess(answer) || !token) return judgeError(TOKEN_ERRORS, textAt(body, 'error'), answer, wall());
    const seconds = Number(textAt(body, 'expires_in') ?? LIFETIME_S);
    kept = { token, until: issued * 1_000 + seconds * 1_000 - MARGIN_MS };
    return token;
  }

  return {
    async get(ask) {
      const token = valid();
      if (token !== undefined) return token;
      const shared = asking && (await asking.catch(() => undefined));
      if (typeof shared === 'string') return shared;
      asking ??= exchange(ask).finally(() => {
        asking = undefined;
      });
      return asking;
    },
    forget(token) {
      if (kept?.token === token) kept = undefined;
    },
  };
}

/** No message was sent yet, so none can have been taken. */
export function withoutDoubt(outcome: Verdict['outcome']): Verdict['outcome'] {
  if (outcome.kind !== 'temporary') return outcome;
  const { unclear: _, ...sure } = outcome;
  return sure;
}
