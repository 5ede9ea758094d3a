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
    const { isLast, pauseMs } = planRetry(answer, retries, settings.platform);
    if (!isLast && retries < settings.maxRetries) {
      await sleep(settings, pauseMs, outgoing.signal);
      continue;
    }
    if (answer instanceof ConnectionError) throw answer;
    if (!answer.ok && isFailure(answer.status)) throw errorOf(answer);
    return answer;
  }
}

/** A 429 and a 409 are not repeated: a person waits for the first, and the caller knows what to make of the second. */
const isFailure = (status: number): boolean => status === 408 || status >= 500;

function planRetry(
  answer: Answer<unknown> | ConnectionError,
  retries: number,
  { random }: Settings['platform'],
) {
  const isRetryable = answer instanceof ConnectionError || (!answer.ok && isFailure(answer.status));
  const retryAfter = ('retryAfter' in answer ? answer.retryAfter : undefined) ?? 0;
  // Jitter is only added, so that nobody comes back before the service asked for it.
  const pauseMs = Math.max(FIRST_PAUSE_MS * 2 ** retries, retryAfter * 1000) * (1 + random() / 2);
  return { isLast: !isRetryable || retryAfter > LONGEST_PAUSE_S, pauseMs };
}

async function tryOnce<T>(settings: Settings, outgoing: Outgoing): Promise<Answer<T> | ConnectionError> {
  const { signal } = outgoing;
  signal?.throwIfAborted();
  // A controller of our own: combined signals (`AbortSignal.any`) are collected too early by some versions of Node 20.
  const controller = new AbortController();
  const abort = () => controller.abort();
  const end = settings.platform.after(settings.timeout, abort);
  signal?.addEventListener('abort', abort);
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
    signal?.removeEventListener('abort', abort);
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

export function sleep({ platform }: Settings, ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const end = () => {
      wake();
      reject(signal?.reason);
    };
    const wake = platform.after(ms, () => {
      signal?.removeEventListener('abort', end);
      resolve();
    });
    signal?.addEventListener('abort', end, { once: true });
  });
}
