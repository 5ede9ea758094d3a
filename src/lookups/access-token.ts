/** The access token of a client, by OAuth 2.0's client credentials. */
import { AccessToken, askAsClient, readToken, type TokenAnswer } from '../carriers/gateway/access-token.ts';
import type { CarrierTransport } from '../carriers/gateway/transport.ts';
import type { Clock } from '../core/seams/clock.ts';
import type { TokenSource } from './provider.ts';

export interface LookupToken {
  get(signal: AbortSignal): Promise<TokenAnswer<string>>;
  /** The provider does not take it any more. */
  forget(token: string): void;
}

export function createLookupToken(
  { url, ...credentials }: TokenSource,
  transport: CarrierTransport,
  clock: Pick<Clock, 'steady'>,
): LookupToken {
  const kept = new AccessToken<string>(clock);
  const { pathname } = new URL(url);
  return {
    get: (signal) =>
      kept.get(async () => {
        const exchange = await transport.send(askAsClient(pathname, credentials), { signal });
        if (exchange.kind === 'failed') return { failed: `no access token: ${exchange.reason}` };
        return readToken(exchange.answer) ?? { failed: `no access token: HTTP ${exchange.answer.status}` };
      }),
    forget: (token) => kept.forget(token),
  };
}
