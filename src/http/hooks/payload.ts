/** Reads what systems send, and says which field is wrong without repeating what it holds. */
import { isUtf8 } from 'node:buffer';
import type { FieldError } from '../../core/errors/field-error.ts';
import { LENGTHS } from '../../core/verification/code.ts';

export type Read<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fault: FieldError };

export type Fields = Readonly<Record<string, unknown>>;

const FORM = /^application\/x-www-form-urlencoded\b/i;
const LONGEST = 1_000;

/** The fields of a body: JSON whatever it calls itself, or a form that says so. */
export function readFields(contentType: string | undefined, bytes: Buffer): Read<Fields> {
  if (bytes.length === 0) return refuse('body', 'not_json', 'is empty');
  if (!isUtf8(bytes)) return refuse('body', 'wrong_encoding', 'must be encoded in UTF-8');
  const text = bytes.toString();
  if (FORM.test(contentType ?? '')) {
    return { ok: true, value: Object.fromEntries(new URLSearchParams(text)) };
  }
  try {
    const value: unknown = JSON.parse(text);
    if (isFields(value)) return { ok: true, value };
  } catch {
    return refuse('body', 'not_json', 'is not valid JSON');
  }
  return refuse('body', 'wrong_type', 'must be a JSON object');
}

/** The text at a path such as `sms/otp`. */
export function hookText(fields: Fields, path: string): Read<string> {
  let value: unknown = fields;
  let walked = '';
  for (const name of path.split('/')) {
    if (!isFields(value)) return refuse(walked, 'wrong_type', 'must be a JSON object');
    if (!Object.hasOwn(value, name) || value[name] === null) return refuse(path, 'missing', 'is required');
    value = value[name];
    walked = walked === '' ? name : `${walked}/${name}`;
  }
  if (typeof value !== 'string') return refuse(path, 'wrong_type', 'must be a string');
  if (value === '') return refuse(path, 'too_short', 'must not be empty');
  if (value.length > LONGEST) return refuse(path, 'too_long', `must be at most ${LONGEST} characters`);
  return { ok: true, value };
}

/** The first of several places that is not missing; if all are, the first is the one to fill. */
export function firstTextAt(
  fields: Fields,
  paths: readonly [string, ...string[]],
): Read<string> & { readonly path: string } {
  for (const path of paths) {
    const read = hookText(fields, path);
    if (read.ok || read.fault.code !== 'missing') return { ...read, path };
  }
  return { ...hookText(fields, paths[0]), path: paths[0] };
}

const [least, most] = LENGTHS;
/** Other scripts write no blank before a number. */
const CODES = new RegExp(`(?<![A-Za-z0-9])[0-9]{${least},${most}}(?![A-Za-z0-9])`, 'g');

/** The code within the text of a message: its only number of that length. It may stand there twice, as WebOTP asks. */
export function codeIn(text: string, path: string): Read<string> {
  const [code, ...others] = new Set(text.match(CODES));
  if (code !== undefined && others.length === 0) return { ok: true, value: code };
  return refuse(path, 'wrong_format', `must contain one number of ${least} to ${most} digits, the code`);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refuse(field: string, code: FieldError['code'], detail: string) {
  return { ok: false, fault: { field, code, detail } } as const;
}
