/** Bodies that are forms, of which only known fields are read. */
import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { UnreadableBody } from './validation.ts';

export type Form = Pick<URLSearchParams, 'get'>;

/** Accepts only forms, up to the server's body limit. */
export function acceptOnlyForms(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser<Buffer>(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer' },
    (_request, bytes, done) => {
      if (isUtf8(bytes)) done(null, new URLSearchParams(bytes.toString()));
      else done(new UnreadableBody({ code: 'wrong_encoding', detail: 'must be encoded in UTF-8' }));
    },
  );
}

/** The field without blanks around it; undefined if it is not there, or empty. */
export function fieldOf(form: Form | undefined, name: string): string | undefined {
  const text = form?.get(name)?.trim();
  return text === '' || text === null ? undefined : text;
}
