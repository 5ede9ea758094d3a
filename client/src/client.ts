/** The client: one method for each operation of the service. */
import { CountersignError, errorOf, type Refusal } from './errors.ts';
import {
  type ConfirmResult,
  type FeedbackResult,
  foundOf,
  type GetResult,
  limitedOf,
  unconfirmedOf,
  unsentOf,
  type VerifyResult,
} from './results.ts';
import { type CountersignOptions, checkOptions, requireOption, type Settings } from './settings.ts';
import { send, sleep } from './transport.ts';
import type {
  ConfirmAnswer,
  ConfirmRequest,
  FeedbackAnswer,
  FeedbackRequest,
  SimulatorMessage,
  Verdict,
  VerificationAnswer,
  VerifyAnswer,
  VerifyRequest,
} from './wire.ts';

export interface CallOptions {
  /** Ends the call at once, with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface RepeatableOptions extends CallOptions {
  /**
   * 1 to 255 visible ASCII characters. The call makes one of its own for all its tries; give one to be able to repeat the
   * call itself, for example after a crash.
   */
  readonly idempotencyKey?: string | undefined;
}

const POLL_MS = 100;
const IDEMPOTENCY_KEY = /^[!-~]{1,255}$/;

export class Countersign {
  /** Private, so that a client that is logged or inspected does not show its key. */
  readonly #settings: Settings;

  constructor(options: CountersignOptions) {
    this.#settings = checkOptions(options);
  }

  /** Sends a code. */
  async verify(request: VerifyRequest, options?: RepeatableOptions): Promise<VerifyResult> {
    const answer = await this.#post<VerifyAnswer>('/verify', request, options);
    if (answer.ok) return { ...answer.body, kind: 'sent' };
    const result = unsentOf(answer);
    if (result === undefined) throw errorOf(answer);
    return result;
  }

  /** Judges what the person typed. */
  async confirm(id: string, code: string, options?: RepeatableOptions): Promise<ConfirmResult> {
    const request: ConfirmRequest = { id, code };
    const answer = await this.#post<ConfirmAnswer>('/confirm', request, options);
    if (answer.ok) {
      const { confirmed_at: confirmedAt, ...rest } = answer.body;
      return { ...rest, kind: 'confirmed', confirmedAt };
    }
    const result = unconfirmedOf(answer);
    if (result === undefined) throw errorOf(answer);
    return result;
  }

  /** What became of a verification, for example to offer a call when the SMS does not arrive. */
  async get(id: string, options?: CallOptions): Promise<GetResult> {
    if (isNoId(id)) return NOT_FOUND;
    const answer = await this.#get<VerificationAnswer>(`/verifications/${encodeURIComponent(id)}`, options);
    if (answer.ok) return foundOf(answer.body);
    const result = unfoundOf(answer);
    if (result === undefined) throw errorOf(answer);
    return result;
  }

  /** Says what a verification turned out to be, as evidence for the guard. A later verdict replaces it; null takes it back. */
  async feedback(id: string, verdict: Verdict | null, options?: CallOptions): Promise<FeedbackResult> {
    if (isNoId(id)) return NOT_FOUND;
    const path = `/verifications/${encodeURIComponent(id)}/feedback`;
    const request: FeedbackRequest = { verdict };
    // To say the same again changes nothing, so it needs no key.
    const outgoing = { method: 'POST', path, body: request, signal: options?.signal } as const;
    const answer = await send<FeedbackAnswer>(this.#settings, outgoing);
    if (answer.ok) return { ...answer.body, kind: 'given' };
    const result = unfoundOf(answer);
    if (result === undefined) throw errorOf(answer);
    return result;
  }

  /**
   * For tests, with a test key: the code of the newest message to a destination, or of the verification `id`. Waits for it
   * as long as a try may take.
   */
  async code(
    destination: string,
    { id, signal }: CallOptions & { readonly id?: string } = {},
  ): Promise<string> {
    const path = `/simulator/messages?destination=${encodeURIComponent(destination)}`;
    for (const end = this.#settings.platform.Date.now() + this.#settings.timeout; ; ) {
      const answer = await this.#get<readonly SimulatorMessage[]>(path, { signal });
      if (!answer.ok) throw errorOf(answer);
      const message = answer.body.find((found) => id === undefined || found.id === id);
      if (message !== undefined) return message.code;
      if (this.#settings.platform.Date.now() > end)
        throw new CountersignError('the simulator has received no such message');
      await sleep(this.#settings, POLL_MS, signal);
    }
  }

  #post<T>(path: string, body: object, options: RepeatableOptions = {}) {
    const { idempotencyKey = crypto.randomUUID(), signal } = options;
    // What no header can hold would look like a lost connection.
    const isKey = IDEMPOTENCY_KEY.test(idempotencyKey);
    requireOption(isKey, 'idempotencyKey', '1 to 255 visible ASCII characters');
    return send<T>(this.#settings, { method: 'POST', path, body, idempotencyKey, signal });
  }

  #get<T>(path: string, options: CallOptions = {}) {
    return send<T>(this.#settings, { method: 'GET', path, signal: options.signal });
  }
}

const NOT_FOUND = { kind: 'not-found' } as const;

/** In a URL these would lead elsewhere. */
const isNoId = (id: string): boolean => /^\.{0,2}$/.test(id);

const unfoundOf = (answer: Refusal) =>
  unconfirmedOf(answer)?.kind === 'not-found' ? NOT_FOUND : limitedOf(answer);
