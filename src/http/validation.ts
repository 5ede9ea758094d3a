/** Reads bodies, and says which of their fields are wrong without repeating their content. */
import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest, FastifySchemaValidationError } from 'fastify';
import type { FieldError, FieldFault } from '../core/errors/field-error.ts';

/** Why a body cannot be read at all; the message is for the client. */
export class UnreadableBody extends Error {
  override readonly name = 'UnreadableBody';
  readonly fault: FieldFault;

  constructor(fault: FieldFault) {
    super(fault.detail);
    this.fault = fault;
  }
}

const NOT_JSON: FieldFault = { code: 'not_json', detail: 'is not valid JSON' };
const EMPTY: FieldFault = { code: 'not_json', detail: 'is empty' };
const COMPRESSED: FieldFault = { code: 'wrong_encoding', detail: 'must not be compressed' };
const NOT_UTF8: FieldFault = { code: 'wrong_encoding', detail: 'must be encoded in UTF-8' };

/**
 * Accepts only JSON in UTF-8, up to the server's body limit. The bytes tell: JSON has no parameter `charset`, and whatever one
 * says has no effect (RFC 8259, 11).
 */
export function acceptOnlyJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    const fault = encodingFault(request) ?? bytesFault(bytes);
    if (fault !== undefined) return done(new UnreadableBody(fault));
    try {
      // JSON.parse makes `__proto__` a plain own property, which nothing reads: there is no need to search for it.
      done(null, JSON.parse(bytes.toString()));
    } catch {
      done(new UnreadableBody(NOT_JSON));
    }
  });
}

function encodingFault({ headers }: FastifyRequest): FieldFault | undefined {
  const encoding = headers['content-encoding'];
  return encoding === undefined || encoding.toLowerCase() === 'identity' ? undefined : COMPRESSED;
}

function bytesFault(bytes: Buffer): FieldFault | undefined {
  if (bytes.length === 0) return EMPTY;
  return isUtf8(bytes) ? undefined : NOT_UTF8;
}

/** The faulty fields, each once, in the order of validation. */
export function fieldErrors(faults: readonly FastifySchemaValidationError[]): FieldError[] {
  const byField = new Map<string, FieldError>();
  for (const fault of faults) {
    if (saysOnlyThatNullWouldDo(fault)) continue;
    const field = fieldOf(fault);
    if (!byField.has(field)) byField.set(field, { field, ...describe(fault) });
  }
  return [...byField.values()];
}

/** A member that is not known is named if its name looks like one: else it may be anything, such as a number of somebody. */
function fieldOf({ instancePath, params }: FastifySchemaValidationError): string {
  const { missingProperty, additionalProperty } = params;
  if (typeof missingProperty === 'string') return missingProperty;
  const path = instancePath.slice(1);
  if (typeof additionalProperty !== 'string') return path || 'body';
  const name = /^[a-z]\w{0,63}$/i.test(additionalProperty) ? additionalProperty : '(unknown)';
  return path === '' ? name : `${path}/${name}`;
}

/** A field that may be null has another fault that says what else it may be. */
function saysOnlyThatNullWouldDo({ keyword, params }: FastifySchemaValidationError): boolean {
  return keyword === 'anyOf' || (keyword === 'type' && params.type === 'null');
}

function describe(fault: FastifySchemaValidationError): FieldFault {
  const { keyword, params } = fault;
  const { limit } = params;
  switch (keyword) {
    case 'required':
      return { code: 'missing', detail: 'is required' };
    case 'type':
      return {
        code: 'wrong_type',
        detail:
          params.type === 'object' ? 'must be a JSON object' : `must be ${withArticle(String(params.type))}`,
      };
    case 'minLength':
      return {
        code: 'too_short',
        detail: limit === 1 ? 'must not be empty' : `must be at least ${limit} characters`,
      };
    case 'maxLength':
      return { code: 'too_long', detail: `must be at most ${limit} characters` };
    case 'const':
      return { code: 'not_allowed_value', detail: `must be ${String(params.allowedValue)}` };
    case 'enum':
      return { code: 'not_allowed_value', detail: `must be one of ${String(params.allowedValues)}` };
    case 'additionalProperties':
      return { code: 'unknown_field', detail: describeUnknown(fault) };
    case 'format':
      return { code: 'not_a_time', detail: 'must be a time such as 2026-11-20T12:00:00Z' };
    case 'minimum':
      return { code: 'too_small', detail: `must be at least ${limit}` };
    case 'maximum':
      return { code: 'too_large', detail: `must be at most ${limit}` };
    case 'minItems':
      return {
        code: 'too_few_entries',
        detail: limit === 1 ? 'must not be empty' : `must have at least ${limit} entries`,
      };
    case 'maxItems':
      return { code: 'too_many_entries', detail: `must have at most ${limit} entries` };
    default:
      return { code: 'wrong_format', detail: expectationOf(fault) };
  }
}

function describeUnknown({
  parentSchema,
}: FastifySchemaValidationError & { readonly parentSchema?: Described }) {
  return `is not known here; known are ${Object.keys(parentSchema?.properties ?? {}).join(', ')}`;
}

/** The description of a schema with a pattern says what the pattern asks for, as a noun phrase. */
function expectationOf(fault: FastifySchemaValidationError & { readonly parentSchema?: Described }): string {
  const { description } = fault.parentSchema ?? {};
  if (description === undefined) return 'is invalid';
  return `must be ${description.charAt(0).toLowerCase()}${description.slice(1).replace(/\.$/, '')}`;
}

interface Described {
  readonly description?: string;
  readonly properties?: object;
}

function withArticle(noun: string): string {
  return `${/^[aio]/.test(noun) ? 'an' : 'a'} ${noun}`;
}
