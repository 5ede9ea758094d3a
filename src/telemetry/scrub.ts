/**
 * The log's second line of defence. The first is that nothing passes it a code, a key, a password or a number. This catches
 * what slips through in a field or in the text of an unexpected error. pino's own `redact` does the first half at three
 * times the cost per line, and only at the depths that its paths name.
 */
import { ErrorFacts } from '../core/errors/error-facts.ts';

const SENSITIVE = new Set([
  'authorization',
  'body',
  'bearer',
  'code',
  'cookie',
  'destination',
  'headers',
  'key',
  'number',
  'password',
  'query',
  'recipient',
  'secret',
  'text',
  'to',
  'token',
]);

const KEY = /csk_(live|test)_\w+/g;
const NUMBER = /(\+|%2B)\d{7,15}/gi;

/** Deeper than any of our lines; also ends the walk of an object that contains itself. */
const DEPTH = 5;

/** The fields of a log line, with the values of sensitive names replaced; the same object if there are none. */
export function scrubFields(fields: Record<string, unknown>, depth = DEPTH): Record<string, unknown> {
  let clean = fields;
  for (const name in fields) {
    const value = fields[name];
    const scrubbed = SENSITIVE.has(name.toLowerCase()) ? '[redacted]' : scrubValue(value, depth - 1);
    if (scrubbed === value) continue;
    if (clean === fields) clean = { ...fields };
    clean[name] = scrubbed;
  }
  return clean;
}

function scrubValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return value.startsWith('+') ? scrubText(value) : value;
  if (typeof value !== 'object' || value === null || value instanceof Error || value instanceof ErrorFacts)
    return value;
  if (depth === 0) return '[too deep]';
  return Array.isArray(value)
    ? value.map((item) => scrubValue(item, depth - 1))
    : scrubFields(value as Record<string, unknown>, depth);
}

/** Free text without keys and E.164 numbers. */
export function scrubText(text: string): string {
  return text.replace(KEY, 'csk_$1_[redacted]').replace(NUMBER, '$1[redacted]');
}

/** An error for the log: its name, code and scrubbed stack, and those of its causes. */
export function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { name: typeof error };
  return {
    name: error.name,
    ...('code' in error ? { code: error.code } : {}),
    stack: scrubText(error.stack ?? error.message),
    ...(error.cause === undefined ? {} : { cause: serializeError(error.cause) }),
  };
}
