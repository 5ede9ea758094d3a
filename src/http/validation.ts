/** Reads bodies, and says which of their fields are wrong without repeating their content. */
import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest, FastifySchemaValidationError } from 'fastify';
import type { FieldError } from './problem.ts';

/** Why a body cannot be read at all; the message is for the client. */
export class UnreadableBody extends Error {
  override readonly name = 'UnreadableBody';
}

const CHARSET = /;\s*charset\s*=\s*"?([^\s";]*)/i;

/** Accepts only JSON in UTF-8, up to the server's body limit. */
export function acceptOnlyJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    const fault = encodingFault(request) ?? bytesFault(bytes);
    if (fault !== undefined) return done(new UnreadableBody(fault));
    try {
      // JSON.parse makes `__proto__` a plain own property, which nothing reads: there is no need to search for it.
      done(null, JSON.parse(bytes.toString()));
    } catch {
      done(new UnreadableBody('is not valid JSON'));
    }
  });
}

function encodingFault({ headers }: FastifyRequest): string | undefined {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') return 'must not be compressed';
  const charset = CHARSET.exec(headers['content-type'] ?? '')?.[1];
  if (charset !== undefined && charset.toLowerCase() !== 'utf-8') return 'must be encoded in UTF-8';
  return undefined;
}

function bytesFault(bytes: Buffer): string | undefined {
  if (bytes.length === 0) return 'is empty';
  return isUtf8(bytes) ? undefined : 'must be encoded in UTF-8';
}

/** The faulty fields, each once, in the order of validation. */
export function fieldErrors(faults: readonly FastifySchemaValidationError[]): FieldError[] {
  const byField = new Map<string, FieldError>();
  for (const fault of faults) {
    if (saysOnlyThatNullWouldDo(fault)) continue;
    const missing = fault.params.missingProperty;
    const field = typeof missing === 'string' ? missing : fault.instancePath.slice(1) || 'body';
    if (!byField.has(field)) byField.set(field, { field, detail: describe(fault) });
  }
  return [...byField.values()];
}

/** A field that may be null has another fault that says what else it may be. */
function saysOnlyThatNullWouldDo({ keyword, params }: FastifySchemaValidationError): boolean {
  return keyword === 'anyOf' || (keyword === 'type' && params.type === 'null');
}

function describe(fault: FastifySchemaValidationError): string {
  const { keyword, params } = fault;
  switch (keyword) {
    case 'required':
      return 'is required';
    case 'type':
      return params.type === 'object'
        ? 'must be a JSON object'
        : `must be ${withArticle(String(params.type))}`;
    case 'minLength':
      return params.limit === 1 ? 'must not be empty' : `must be at least ${params.limit} characters`;
    case 'maxLength':
      return `must be at most ${params.limit} characters`;
    case 'pattern':
      return expectationOf(fault);
    case 'const':
      return `must be ${String(params.allowedValue)}`;
    case 'enum':
      return `must be one of ${String(params.allowedValues)}`;
    case 'format':
      return 'must be a time such as 2026-11-20T12:00:00Z';
    case 'minimum':
      return `must be at least ${params.limit}`;
    case 'maximum':
      return `must be at most ${params.limit}`;
    case 'minItems':
      return params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit} entries`;
    case 'maxItems':
      return `must have at most ${params.limit} entries`;
    default:
      return 'is invalid';
  }
}

/** The description of a schema with a pattern says what the pattern asks for, as a noun phrase. */
function expectationOf(fault: FastifySchemaValidationError & { readonly parentSchema?: Described }): string {
  const { description } = fault.parentSchema ?? {};
  if (description === undefined) return 'is invalid';
  return `must be ${description.charAt(0).toLowerCase()}${description.slice(1).replace(/\.$/, '')}`;
}

interface Described {
  readonly description?: string;
}

function withArticle(noun: string): string {
  return `${/^[aio]/.test(noun) ? 'an' : 'a'} ${noun}`;
}
