/** ARI's REST half: requests on channels, playbacks and the rest. */
import { abortAfter, type Clock } from '../../core/seams/clock.ts';
import { basic } from '../gateway/basic.ts';
import { parseAnswer } from '../gateway/json-answer.ts';

/** A whole answer, or why there was none. Neither repeats anything of the request. */
type Reply =
  | { readonly kind: 'answered'; readonly status: number; readonly body: unknown }
  | { readonly kind: 'failed'; readonly reason: string };

export interface Credentials {
  readonly url: string;
  readonly user: string;
  readonly password: string;
}

/** Parameters go in the body: a URL would put numbers and codes into the access logs of proxies. */
export type Rest = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<Reply>;

const TIMEOUT_MS = 5_000;

export function createRest(
  clock: Pick<Clock, 'after'>,
  credentials: Credentials,
  timeoutMs = TIMEOUT_MS,
): Rest {
  const headers = authorize(credentials);
  return async (method, path, body) => {
    try {
      const response = await fetch(`${credentials.url.replace(/\/$/, '')}/ari${path}`, {
        method,
        headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
        // A redirect would get our credentials.
        redirect: 'manual',
        signal: abortAfter(clock, timeoutMs),
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return { kind: 'answered', status: response.status, body: parseAnswer(await response.text()) };
    } catch (error) {
      return { kind: 'failed', reason: describe(error) };
    }
  };
}

export function authorize({ user, password }: Credentials): { authorization: string } {
  return { authorization: basic(user, password) };
}

/** fetch always says "fetch failed". The reason is in the code of its cause. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  if (error.name === 'TimeoutError') return 'timed out';
  const { cause } = error;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : error.name;
}
