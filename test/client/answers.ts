/** A `fetch` that answers as it is told, and remembers what it was asked. */
import { Countersign, type CountersignOptions, type Fetch } from '../../client/src/index.ts';
import { formatProblem, PROBLEMS, type ProblemMembers, type ProblemName } from '../../src/http/problem.ts';

export const REQUEST_ID = '7f2c1b8e-94d3-4a55-9c1f-0d6b3e2a8c47';
export const API_KEY = `csk_test_${'x'.repeat(36)}`;
export const SENT = { id: 'ver_1', destination: '+12025550123', channel: 'sms' };

export const json = (body: unknown) => () => Response.json(body);

export const problem =
  (name: ProblemName, headers: Readonly<Record<string, string>> = {}, members?: ProblemMembers) =>
  () =>
    new Response(formatProblem(name, REQUEST_ID, members), {
      status: PROBLEMS[name].status,
      headers: { 'content-type': 'application/problem+json', ...headers },
    });

/** A connection that is lost. */
export const lost = (): Response => {
  throw new TypeError('fetch failed');
};

export interface Asked {
  readonly url: string;
  readonly init: RequestInit;
  readonly headers: Headers;
}

/** Answers with each in turn, and then with the last one again and again. `'never'` hangs until it is aborted. */
export function clientOf(
  answers: readonly ((() => Response) | 'never')[],
  options: Partial<CountersignOptions> = {},
) {
  const asked: Asked[] = [];
  const fetch: Fetch = async (url, init) => {
    asked.push({ url, init, headers: new Headers(init.headers) });
    const answer = answers[Math.min(asked.length, answers.length) - 1];
    if (answer !== undefined && answer !== 'never') return answer();
    return new Promise((_, reject) => {
      init.signal?.addEventListener('abort', () => reject(init.signal?.reason));
    });
  };
  const baseUrl = 'https://countersign.example.com/';
  return { countersign: new Countersign({ apiKey: API_KEY, baseUrl, fetch, ...options }), asked };
}
