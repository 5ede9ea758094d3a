/** The access token of a client, by OAuth 2.0's client credentials (RFC 6749, section 4.4): asked for once, and used until shortly before its end. */
import { basic } from '../carriers/gateway/basic.ts';
import { parseAnswer, textAt } from '../carriers/gateway/json-answer.ts';
import { postForm } from '../carriers/gateway/request.ts';
import type { CarrierTransport } from '../carriers/gateway/transport.ts';
import type { Clock } from '../core/seams/clock.ts';
import { SECOND_MS } from '../core/seams/spans.ts';
import type { TokenSource } from './provider.ts';

/** It must not end on its way. */
const EARLY_MS = 30 * SECOND_MS;
/** Where the server does not say how long it lasts. */
const UNSAID_S = 60;
const LONGEST_S = 86_400;

export type TokenAnswer = { readonly token: string } | { readonly failed: string };

export class AccessToken {
  readonly #source: TokenSource;
  readonly #transport: CarrierTransport;
  readonly #clock: Pick<Clock, 'steady'>;
  #held: { readonly token: string; readonly until: number } | undefined;
  /** Whoever needs one meanwhile waits for the same. */
  #asking: Promise<TokenAnswer> | undefined;

  constructor(source: TokenSource, transport: CarrierTransport, clock: Pick<Clock, 'steady'>) {
    this.#source = source;
    this.#transport = transport;
    this.#clock = clock;
  }

  async get(signal: AbortSignal): Promise<TokenAnswer> {
    if (this.#held !== undefined && this.#clock.steady() < this.#held.until) return this.#held;
    this.#asking ??= this.#ask(signal).finally(() => {
      this.#asking = undefined;
    });
    return await this.#asking;
  }

  /** The provider does not take it any more. One that has come since stays. */
  refuse(token: string): void {
    if (this.#held?.token === token) this.#held = undefined;
  }

  async #ask(signal: AbortSignal): Promise<TokenAnswer> {
    const { url, clientId, clientSecret, scope } = this.#source;
    const { pathname } = new URL(url);
    // Section 2.3.1: both are form-encoded before they are joined.
    const authorization = basic(encodeURIComponent(clientId), encodeURIComponent(clientSecret));
    const fields = { grant_type: 'client_credentials', scope };
    const exchange = await this.#transport.send(postForm(pathname, fields, { authorization }), signal);
    if (exchange.kind === 'failed') return { failed: `no access token: ${exchange.reason}` };
    const { status, body } = exchange.answer;
    const answer = parseAnswer(body);
    const token = textAt(answer, 'access_token');
    if (status !== 200 || token === undefined || !/^[\x21-\x7e]+$/.test(token))
      return { failed: `no access token: HTTP ${status}` };
    const lasts = Number(textAt(answer, 'expires_in') ?? UNSAID_S);
    const seconds = Number.isFinite(lasts) ? Math.min(Math.max(lasts, 0), LONGEST_S) : UNSAID_S;
    this.#held = { token, until: this.#clock.steady() + seconds * SECOND_MS - EARLY_MS };
    return { token };
  }
}
