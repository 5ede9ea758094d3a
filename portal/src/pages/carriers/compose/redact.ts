/**
 * What may hold a secret does not leave the browser. In its place goes a text that has the same placeholders and the same kinds
 * of characters, so that the service can still say whether it would be taken.
 */
import type { Value } from './yaml.ts';

const PLACEHOLDER = /\{\{\s*[A-Za-z]{1,10}\s*\}\}/;
/** Scheme, host and port of an address without a user: who is asked is no secret. */
const ORIGIN = /^https?:\/\/[A-Za-z0-9.:[\]-]*(?=$|[/?#])/i;
const WITH_USER = /^(https?:\/\/)[^/?#]*@[^/?#]*/i;

export function redact(value: Value): Value {
  if (typeof value === 'string') return redactText(value);
  if (typeof value === 'number') return 0;
  if (Array.isArray(value)) return value.map(redact);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, redact(inner)]));
}

function redactText(typed: string): string {
  const text = typed.replace(WITH_USER, '$1x@x');
  const [origin = ''] = /^https?:\/\/x@x/.exec(text) ?? ORIGIN.exec(text) ?? [];
  const parts = text.slice(origin.length).split(new RegExp(`(${PLACEHOLDER.source})`));
  return origin + parts.map((part) => (PLACEHOLDER.test(part) ? part : cover(part))).join('');
}

/** One for each run of characters of a kind: even the length of a secret is nobody's business. */
function cover(part: string): string {
  return part
    .replace(/[\u0100-\uffff]+/g, '\u0100')
    .replace(/[\u0080-\u00ff]+/g, '\u00e9')
    .replace(/[!"$%'-.0-<>@-z|~]+/g, 'x');
}

/** Long, without spaces, of letters and digits of both cases: nobody types that where something else is asked for. */
const TOKEN = /^(?=.*[a-z])(?=.*[A-Z])(?=.*[0-9])[\w+/=~-]{20,}$/;

/** Whether a text in a field that is sent is likely a secret in the wrong place. */
export const looksSecret = (text: string): boolean =>
  text.split(/\s+/).some((word) => TOKEN.test(word)) || /-----BEGIN |:\/\/[^/]*:[^/]*@/.test(text);
