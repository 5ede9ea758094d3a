/** Requests over `fetch`: each try has its timeout, and what may help to repeat is repeated. */
import { ConnectionError, errorOf, type Problem, type Refusal } from './errors.ts';
import type { Settings } from './settings.ts';

export interface Outgoing {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object | undefined;
  /** The same for all tries, so that the service does at most once what is asked of it several times. */
  readonly idempotencyKey?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export type Answer<T> = { readonly ok: true; readonly body: T } | Refusal;

const FIRST_PAUSE_MS = 500;
/** A service that asks for more than this is not waited for: the caller can decide better. */
const LONGEST_PAUSE_S = 5;

/** The service's answer, be it that it refuses. Throws when there is none, or none that it should give. */
export async function send<T>(settings: Settings, outgoing: Outgoing): Promise<Answer<T>> {
  for (let retries = 0; ; retries++) {
    const answer = await tryOnce<T>(settings, outgoing);
    const pauseMs = retries < settings.maxRetries ? pauseBefore(answer, retries) : undefined;
    if (pauseMs !== undefined) {
      // Jitter is only added, so that nobody comes back before the service asked for it.
      await sleep(settings, pauseMs * (1 + settings.platform.Math.random() / 2), outgoing.signal);
      continue;
    }
    if (answer instanceof ConnectionError) throw answer;
    if (!answer.ok && isFailure(answer.status)) throw errorOf(answer);
    return answer;
  }
}

/** A 429 and a 409 are not repeated: a person waits for the first, and the caller knows what to make of the second. */
const isFailure = (status: number): boolean => status === 408 || status >= 500;

/** Undefined if it does not help to try again. */
function pauseBefore(answer: Answer<unknown> | ConnectionError, retries: number): number | undefined {
  const isRetryable = answer instanceof ConnectionError || (!answer.ok && isFailure(answer.status));
  const { retryAfter = 0 } = 'retryAfter' in answer ? answer : {};
  if (!isRetryable || retryAfter > LONGEST_PAUSE_S) return undefined;
  return Math.max(FIRST_PAUSE_MS * 2 ** retries, retryAfter * 1000);
}

async function tryOnce<T>(settings: Settings, outgoing: Outgoing): Promise<Answer<T> | ConnectionError> {
  const { signal } = outgoing;
  // A controller of our own: combined signals (`AbortSignal.any`) are collected too early by some versions of Node 20.
  const controller = new AbortController();
  const end = wake(settings, settings.timeout, signal, () => controller.abort());
  try {
    return await exchange<T>(settings, outgoing, controller.signal);
  } catch (cause) {
    signal?.throwIfAborted();
    const what = controller.signal.aborted
      ? `no answer within ${settings.timeout} ms`
      : 'the connection failed';
    return new ConnectionError(`${what}: ${outgoing.method} at ${settings.baseUrl}`, undefined, { cause });
  } finally {
    end();
  }
}

async function exchange<T>(settings: Settings, outgoing: Outgoing, signal: AbortSignal): Promise<Answer<T>> {
  const { method, path, body, idempotencyKey } = outgoing;
  const response = await settings.fetch(settings.baseUrl + path, {
    method,
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${settings.apiKey}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    // A redirect would carry the number or the code elsewhere; the service has none.
    redirect: 'manual',
    signal,
  });
  const text = await response.text();
  const { status } = response;
  const mediaType = response.headers.get('content-type')?.split(';', 1)[0];
  if (status === 200 && mediaType === 'application/json') return { ok: true, body: JSON.parse(text) };
  const problem: Problem = mediaType === 'application/problem+json' ? JSON.parse(text) : {};
  const retryAfter = response.headers.get('retry-after') ?? '';
  return {
    ok: false,
    status,
    type: problem.type?.split('/').at(-1),
    problem,
    retryAfter: /^\d+$/.test(retryAfter) ? Number(retryAfter) : undefined,
  };
}

/** Rejects with the reason of the signal as soon as it is aborted. */
export async function sleep(settings: Settings, ms: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve) => {
    const end = wake(settings, ms, signal, () => {
      end();
      resolve();
    });
  });
  signal?.throwIfAborted();
}

/** Calls after so many ms, and when the signal is aborted, until the function that is returned is called. Throws if it is already. */
function wake({ platform }: Settings, ms: number, signal: AbortSignal | undefined, call: () => void) {
  signal?.throwIfAborted();
  const timer = platform.setTimeout(call, ms);
  signal?.addEventListener('abort', call);
  return () => {
    platform.clearTimeout(timer);
    signal?.removeEventListener('abort', call);
  };
}
