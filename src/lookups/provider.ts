/** What a look-up of one type knows of its provider. */
import type { ClientCredentials } from '../carriers/gateway/access-token.ts';
import type { GatewayAnswer, GatewayRequest } from '../carriers/gateway/transport.ts';
import type { NumberFact, NumberFacts } from '../core/lookups/facts.ts';
import type { NumberQuestion } from '../core/lookups/lookup.ts';

/** The provider answered, or why it did not. A reason holds nothing of the request: it is logged. */
export type LookupReading =
  | { readonly facts: NumberFacts }
  | {
      readonly failed: string;
      /** The provider is well, and the operator has to put something right: the breaker stays closed. */
      readonly isOurs?: true;
      /** It refused the access token. */
      readonly isUnauthorized?: true;
    };

export interface LookupProvider {
  /** Scheme, host and port. */
  readonly origin: URL;
  /** CA of its certificate, PEM, if it is not a public one. */
  readonly ca?: string | undefined;
  readonly tells: readonly NumberFact[];
  /** Of what it is asked about, for telling one question about a number from another. */
  readonly scopeOf: (question: NumberQuestion) => string;
  /** `token`: the access token, of a provider that has some. */
  readonly request: (question: NumberQuestion, token: string) => GatewayRequest;
  readonly read: (answer: GatewayAnswer, question: NumberQuestion) => LookupReading;
  /** Absent if it takes none. */
  readonly tokens?: TokenSource;
}

/** Where access tokens come from (RFC 6749, section 4.4). */
export interface TokenSource extends ClientCredentials {
  readonly url: string;
}

/** What a status says where no answer is expected but one. */
export function failedWith(status: number): LookupReading {
  const failed = `HTTP ${status}`;
  return status === 429 || status >= 500 ? { failed } : { failed, isOurs: true };
}
