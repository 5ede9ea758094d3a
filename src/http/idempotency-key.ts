/** The header `Idempotency-Key` of requests that may be repeated. */
import type { FastifyRequest, FastifySchemaValidationError } from 'fastify';
import Type, { type TObject } from 'typebox';
import type { FieldError } from '../core/errors/field-error.ts';
import { fieldErrors } from './validation.ts';

const FORM = /^[!-~]{1,255}$/;

const INVALID: FieldError = {
  field: 'Idempotency-Key',
  code: 'wrong_format',
  detail: 'must be 1 to 255 visible ASCII characters',
};

/** The header in the OpenAPI document. `repetition` says what a repetition does not do again. */
export function idempotencyHeaders(repetition: string): TObject {
  const description = `A repeated request with the same key and body within 24 hours gets the same answer and ${repetition}. Keys belong to the account and the kind of its API key, live or test.`;
  return Type.Object({
    'Idempotency-Key': Type.Optional(Type.String({ pattern: FORM.source, description })),
  });
}

export type RepeatableRequest =
  | { readonly ok: true; readonly idempotencyKey: string | undefined }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

const WITHOUT_KEY: RepeatableRequest = { ok: true, idempotencyKey: undefined };

/** Checks the header and the body together, so that one answer names every faulty field. */
export function readRepeatable(
  { headers, validationError }: FastifyRequest,
  faults: readonly FastifySchemaValidationError[] = validationError?.validation ?? [],
): RepeatableRequest {
  const key = headers['idempotency-key'];
  if (key === undefined && faults.length === 0) return WITHOUT_KEY;
  const isValid = key === undefined || (typeof key === 'string' && FORM.test(key));
  if (isValid && faults.length === 0) return { ok: true, idempotencyKey: key };
  const errors = fieldErrors(faults);
  return { ok: false, errors: isValid ? errors : [...errors, INVALID] };
}
