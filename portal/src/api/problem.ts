import { sentenceOf, WORDS } from './words.ts';

/** RFC 9457 problem details, as this service and its portal answer them. */
export interface ProblemDetails {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly errors?: readonly { readonly field: string; readonly detail: string }[];
}

export class Problem extends Error {
  /** Its name in the catalogue, such as `not-found`. */
  readonly kind: string;
  readonly status: number;
  readonly title: string;
  /** What is said of each field of a form, by its name. */
  readonly errors: ReadonlyMap<string, string>;

  constructor(details: ProblemDetails, retryAfter: string | null) {
    const kind = details.type.slice(details.type.lastIndexOf('/') + 1);
    const words = WORDS[kind];
    const text = words?.text ?? details.detail;
    super(retryAfter === null ? text : `${text} Try again in ${retryAfter} seconds.`);
    this.kind = kind;
    this.status = details.status;
    this.title = words?.title ?? details.title;
    this.errors = new Map(details.errors?.map(({ field, detail }) => [nameOf(field), detail]));
  }
}

/** What is wrong with each field, but for those that are shown beside theirs. */
export const sentencesOf = (
  { errors }: Problem,
  isShown: (field: string) => boolean = () => false,
): string[] => [...errors].flatMap(([field, detail]) => (isShown(field) ? [] : [sentenceOf(field, detail)]));

/** The server names the entry of a list (`restrictions/countries/0`); the form has one field for all of them. */
const nameOf = (field: string): string => field.replace(/\/\d+$/, '').replaceAll('/', '.');

const UNREACHABLE: ProblemDetails = {
  type: 'unreachable',
  title: 'The service does not answer',
  status: 0,
  detail: 'Check that it runs and that this machine reaches it, then try again.',
};

/** Whatever went wrong, as something that can be said to a person. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  // What `fetch` throws when there is no answer at all.
  if (error instanceof TypeError) return new Problem(UNREACHABLE, null);
  const detail = error instanceof Error ? error.message : 'Reload the page, and tell us if it happens again.';
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
    { type: 'unexplained', title: 'The service answered strangely', status: response.status, detail },
    retryAfter,
  );
}
