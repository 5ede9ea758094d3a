import type { FieldErrorCode } from '../../../src/core/errors/field-error.ts';
import { plainWords, sentenceOf, WORDS } from './words.ts';

/** RFC 9457 problem details, as this service sends them. */
export interface ProblemDetails {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly errors?: readonly ({ readonly field: string } & WrongField)[];
}

/** What is wrong with a field. Only the service has a code for it. */
export interface WrongField {
  readonly code?: FieldErrorCode;
  readonly detail: string;
}

export class Problem extends Error {
  /** Its name in the problem catalogue, such as `not-found`. */
  readonly kind: string;
  readonly status: number;
  readonly title: string;
  /** What is wrong with each field of a form, by name; an entry of a list by its place there, as `restrictions.countries.0`. */
  readonly errors: ReadonlyMap<string, WrongField>;

  constructor(details: ProblemDetails, retryAfter: string | null) {
    const kind = details.type.slice(details.type.lastIndexOf('/') + 1);
    const words = WORDS[kind];
    const text = words?.text ?? details.detail;
    super(retryAfter === null ? text : `${text} Try again in ${retryAfter} seconds.`);
    this.kind = kind;
    this.status = details.status;
    this.title = words?.title ?? details.title;
    this.errors = new Map(
      details.errors?.map(({ field, detail, ...code }) => [
        field.replaceAll('/', '.'),
        { ...code, detail: plainWords(detail) },
      ]),
    );
  }
}

/** What the page itself finds wrong with fields, before anything is sent. */
export const problemOfFields = (errors: ProblemDetails['errors'] = []): Problem =>
  new Problem({ type: 'invalid-request', title: '', status: 0, detail: '', errors }, null);

/** What is wrong with fields, a sentence each. */
export const sentencesOf = (errors: Problem['errors']): string[] =>
  [...errors].map(([field, { detail }]) => sentenceOf(listOf(field), detail));

/** The name of the list that an entry is in, such as `restrictions.countries.0`; of any other field, its own. */
export const listOf = (field: string): string => field.replace(/\.\d+$/, '');

const UNREACHABLE: ProblemDetails = {
  type: 'unreachable',
  title: 'The service does not answer',
  status: 0,
  detail: 'Check that it is running and that you are connected to it, then try again.',
};

/** Any error, in words for a person. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  // `fetch` throws it when there is no answer at all.
  if (error instanceof TypeError) return new Problem(UNREACHABLE, null);
  const detail =
    error instanceof Error ? error.message : 'Reload the page. If it happens again, tell your administrator.';
  return new Problem(
    { type: 'unexpected', title: 'Something went wrong on this page', status: 0, detail },
    null,
  );
}

export async function readProblem(response: Response): Promise<Problem> {
  const retryAfter = response.headers.get('retry-after');
  if (response.headers.get('content-type')?.startsWith('application/problem+json')) {
    const details: ProblemDetails = JSON.parse(await response.text());
    return new Problem(details, retryAfter);
  }
  const detail = `It answered with status ${response.status} and no explanation.`;
  return new Problem(
    { type: 'unexplained', title: 'Unexpected answer from the service', status: response.status, detail },
    retryAfter,
  );
}
