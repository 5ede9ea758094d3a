/** Access tokens by OAuth 2.0 (RFC 6749): asked for once, shared by all who need one, and used until shortly before their end. */
import type { Clock } from '../../core/seams/clock.ts';
import { SECOND_MS } from '../../core/seams/spans.ts';
import { basic } from './basic.ts';
import { parseAnswer, textAt } from './json-answer.ts';
import { postForm } from './request.ts';
import type { GatewayAnswer, GatewayRequest } from './transport.ts';

/** It must not end on its way. */
const EARLY_MS = 30 * SECOND_MS;
/** Where the server does not say how long it lasts. */
const UNSAID_S = 60;
const LONGEST_S = 86_400;

interface Granted {
  readonly token: string;
  readonly lastsMs: number;
}

/** A token, or why there is none. */
export type TokenAnswer<Failure> = { readonly token: string } | { readonly failed: Failure };

export class AccessToken<Failure> {
  readonly #clock: Pick<Clock, 'steady'>;
  #held: { readonly token: string; readonly until: number } | undefined;
  #asking: Promise<TokenAnswer<Failure>> | undefined;

  constructor(clock: Pick<Clock, 'steady'>) {
    this.#clock = clock;
  }

  /** `ask` is the caller's own question, with its own deadline. It is asked if there is no token, and nobody else brings one. */
  async get(ask: () => Promise<Granted | { readonly failed: Failure }>): Promise<TokenAnswer<Failure>> {
    if (this.#held !== undefined && this.#clock.steady() < this.#held.until) return this.#held;
    // A failure is of who asked: that one may have had no time left. The others ask for themselves, one after the other.
    while (this.#asking !== undefined) {
      const shared = await this.#asking.catch(() => undefined);
      if (shared !== undefined && 'token' in shared) return shared;
    }
    this.#asking = this.#ask(ask).finally(() => {
      this.#asking = undefined;
    });
    return await this.#asking;
  }

  /** It is not taken any more. One that has come since stays. */
  forget(token: string): void {
    if (this.#held?.token === token) this.#held = undefined;
  }

  async #ask(ask: () => Promise<Granted | { readonly failed: Failure }>): Promise<TokenAnswer<Failure>> {
    const given = await ask();
    if ('token' in given)
      this.#held = { token: given.token, until: this.#clock.steady() + given.lastsMs - EARLY_MS };
    return given;
  }
}

/** Undefined if the answer gives none. */
export function readToken({ status, body }: GatewayAnswer): Granted | undefined {
  const answer = parseAnswer(body);
  const token = textAt(answer, 'access_token');
  if (status !== 200 || token === undefined || !/^[\x21-\x7e]+$/.test(token)) return undefined;
  const lasts = Number(textAt(answer, 'expires_in') ?? UNSAID_S);
  const seconds = Number.isFinite(lasts) ? Math.min(Math.max(lasts, 0), LONGEST_S) : UNSAID_S;
  return { token, lastsMs: seconds * SECOND_MS };
}

export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope?: string | undefined;
}

/** The question for a token of a client (section 4.4). */
export function askAsClient(
  path: string,
  { clientId, clientSecret, scope }: ClientCredentials,
): GatewayRequest {
  // Section 2.3.1: both are form-encoded before they are joined.
  const authorization = basic(encodeURIComponent(clientId), encodeURIComponent(clientSecret));
  const fields = { grant_type: 'client_credentials', ...(scope !== undefined && { scope }) };
  return postForm(path, fields, { authorization });
}
