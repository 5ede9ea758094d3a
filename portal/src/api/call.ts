import type { AnswerOf, EndpointName, Input, Parts } from './endpoints.ts';
import { readProblem } from './problem.ts';
import { tellSignedOut } from './signed-out.ts';

/** Calls the portal's API. Throws a Problem for every refusal, a TypeError if there is no answer. */
export async function call<N extends EndpointName>(
  name: N,
  account: string | undefined,
  input: Input<N>,
  signal?: AbortSignal,
): Promise<AnswerOf<N>> {
  const method = name.slice(0, name.indexOf(' '));
  const { body, idempotencyKey } = input;
  const response = await fetch(addressOf(name, account, input), {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
  if (!response.ok) {
    const problem = await readProblem(response);
    // The listener then asks who is signed in.
    if (problem.kind === 'not-signed-in' && name !== 'GET me') tellSignedOut();
    throw problem;
  }
  // An empty body is read as null.
  return JSON.parse((await response.text()) || 'null') ?? undefined;
}

/** The URL of an endpoint, also for links and event sources. People paste whole keys; none gets into it. */
export function addressOf(name: EndpointName, account: string | undefined, parts: Parts): string {
  const path = name
    .slice(name.indexOf(' ') + 1)
    .replace(/:(\w+)/g, (_, key: string) =>
      encodeURIComponent((key === 'account' ? account : parts.params?.[key]) ?? ''),
    );
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(parts.query ?? {})) if (value) query.set(key, withoutKeys(value));
  return `/portal/api/${path}${query.size === 0 ? '' : `?${query}`}`;
}

/** A key, or a part of one that is longer than the beginning that lists show: `csk_live_` and eight characters. */
const LONG = /(csk_(?:live|test)_[0-9A-Za-z]{8})[0-9A-Za-z]+/g;

/** The text with only the beginning of each key: that is known here, names the key, and opens nothing. */
const withoutKeys = (text: string): string => text.replace(LONG, '$1');
