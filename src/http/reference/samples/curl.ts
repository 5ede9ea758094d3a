import { JSON_NOTATION, literal } from './literal.ts';
import { ADDRESS, type SampleRequest } from './request.ts';

export function curl({ path, token, body }: SampleRequest): string {
  return [
    `curl "$${ADDRESS}${path}"`,
    ...(token === undefined ? [] : [`  -H "Authorization: Bearer $${token}"`]),
    // With a body it is a POST.
    ...(body === undefined ? [] : ["  -H 'Content-Type: application/json'", `  -d ${shellQuoted(body)}`]),
  ].join(' \\\n');
}

/** In the shell, nothing but a single quote ends a text in single quotes. */
const shellQuoted = (body: unknown): string =>
  `'${literal(body, JSON_NOTATION, '  ').replaceAll("'", "'\\''")}'`;
