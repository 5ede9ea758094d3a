import type { ServiceRequest } from '../../format/snippets.ts';

/** A request to the page's own service. */
export type ServiceQuestion = Pick<ServiceRequest, 'path' | 'body'>;

/** One request to the service and what came back. */
export interface Exchange {
  readonly request: ServiceQuestion;
  readonly status: number;
  readonly statusText: string;
  readonly headers: readonly (readonly [string, string])[];
  /** As it came; pretty-printed when it is JSON. */
  readonly body: string;
  /** From the request to the last byte. */
  readonly ms: number;
}

export async function exchange(request: ServiceQuestion, apiKey: string): Promise<Exchange> {
  const started = performance.now();
  const response = await fetch(request.path, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(request.body),
    // The service's API does not need the portal's session.
    credentials: 'omit',
  });
  const text = await response.text();
  return {
    request,
    status: response.status,
    statusText: response.statusText,
    headers: [...response.headers],
    body: pretty(text),
    ms: performance.now() - started,
  };
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** A field of a successful answer. */
export function answered({ status, body }: Exchange, field: string): string | undefined {
  if (status !== 200) return undefined;
  const value: unknown = JSON.parse(body)[field];
  return typeof value === 'string' ? value : undefined;
}
