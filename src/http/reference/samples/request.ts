/** A request for the samples, made from what the document says of an operation. */
import type { Operation } from '../../openapi.ts';
import { exampleOf } from '../example.ts';

export interface SampleRequest {
  readonly method: string;
  /** With its parameters filled in. */
  readonly path: string;
  /** The environment variable of the token to send. */
  readonly token?: string;
  readonly body?: unknown;
  readonly answersJson: boolean;
}

/** The samples take address and token from the environment: a token belongs in no code that people copy. */
export const ADDRESS = 'COUNTERSIGN_URL';
export const SAMPLE_KEY = 'COUNTERSIGN_API_KEY';

export function sampleRequest(method: string, path: string, operation: Operation): SampleRequest {
  const { parameters = [], requestBody, responses, security = [] } = operation;
  const body = requestBody?.content['application/json']?.schema;
  let filled = path;
  const query = new URLSearchParams();
  for (const { name, in: place, example } of parameters) {
    if (place === 'path') filled = filled.replace(`{${name}}`, encodeURIComponent(String(example)));
    else if (place === 'query' && example !== undefined) query.set(name, String(example));
  }
  return {
    method: method.toUpperCase(),
    path: query.size === 0 ? filled : `${filled}?${query}`,
    ...(security.some((requirement) => 'apiKey' in requirement) && { token: SAMPLE_KEY }),
    ...(body !== undefined && { body: exampleOf(body) }),
    answersJson: responses['200']?.content?.['application/json'] !== undefined,
  };
}
