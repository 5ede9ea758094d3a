/** The access token that a carrier's messages are sent with, as the permit of a line. */
import type { Clock } from '../../core/seams/clock.ts';
import { AccessToken, readToken } from './access-token.ts';
import type { AskGateway } from './carrier.ts';
import { type ErrorTable, judgeError } from './errors.ts';
import { parseAnswer, textAt } from './json-answer.ts';
import type { GatewayRequest } from './transport.ts';
import { type Verdict, withoutDoubt } from './verdict.ts';

/** What `error` says where no token is given (RFC 6749, section 5.2). */
const TOKEN_ERRORS: ErrorTable = {
  invalid_client: ['configuration', 'credentials refused'],
  invalid_grant: ['configuration', 'key refused, or the clock is wrong'],
  invalid_request: ['configuration', 'request for a token refused'],
  invalid_scope: ['configuration', 'credentials without the right to send'],
  unauthorized_client: ['configuration', 'credentials not allowed'],
  unsupported_grant_type: ['configuration', 'kind of request not supported'],
};

export interface MessageToken {
  /** A token, or what becomes of a message without one. */
  get(ask: AskGateway): Promise<string | Verdict>;
  /** It was refused. */
  forget(token: string): void;
}

/** `request` makes each question for a token, which is asked at `origin`. */
export function createMessageToken(
  clock: Pick<Clock, 'steady' | 'wall'>,
  origin: URL,
  request: () => GatewayRequest,
): MessageToken {
  const kept = new AccessToken<Verdict>(clock);
  return {
    async get(ask) {
      const given = await kept.get(async () => {
        const answer = await ask(request(), origin);
        if ('kind' in answer) return { failed: { outcome: withoutDoubt(answer) } };
        const error = textAt(parseAnswer(answer.body), 'error');
        return readToken(answer) ?? { failed: judgeError(TOKEN_ERRORS, error, answer, clock.wall()) };
      });
      return 'failed' in given ? given.failed : given.token;
    },
    forget: (token) => kept.forget(token),
  };
}
