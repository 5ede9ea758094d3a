/** Asks the two handlers of the page's own backend. */
import type { Channel } from './channel.ts';

export interface Accepted {
  readonly ok: true;
  readonly channel?: Channel;
  /** Seconds. */
  readonly resendAfter?: number;
}

const REASONS = [
  'invalid',
  'limited',
  'mismatch',
  'exhausted',
  'expired',
  'forbidden',
  'unavailable',
  'offline',
] as const;

/** What the handlers answer, and `offline` if no answer came. */
export type Reason = (typeof REASONS)[number];

export interface Refused {
  readonly ok: false;
  readonly reason: Reason;
  /** With `invalid`: why nothing can be sent to the number, such as `landline`. */
  readonly code?: string;
  /** With `limited`: seconds. */
  readonly retryAfter?: number;
  /** With `mismatch`. */
  readonly attemptsRemaining?: number;
}

const DEADLINE_MS = 30_000;

/** Rejects only if the signal ends it. */
export async function ask(url: string, body: object, signal: AbortSignal): Promise<Accepted | Refused> {
  const ended = new AbortController();
  const end = () => ended.abort();
  const timer = setTimeout(end, DEADLINE_MS);
  signal.addEventListener('abort', end);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: ended.signal,
    });
    return await read(response);
  } catch {
    signal.throwIfAborted();
    return { ok: false, reason: 'offline' };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  }
}

/** What is not from the handlers, such as the page of a proxy, says only that it did not work. */
async function read(response: Response): Promise<Accepted | Refused> {
  try {
    const answer: Accepted | Refused = JSON.parse(await response.text());
    if (answer.ok === true || REASONS.includes(answer.reason)) return answer;
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error;
  }
  return { ok: false, reason: 'unavailable' };
}
