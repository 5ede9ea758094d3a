/** What is thrown: everything that is neither an answer about a person's code nor a limit that a person waits for. */

/** A field that the service refused. Codes are listed in docs/api.md of the service. */
export interface FieldProblem {
  readonly field: string;
  readonly code: string;
  readonly detail: string;
}

/** Problem details (RFC 9457), as far as they came: something else may have answered for the service. */
export interface Problem {
  readonly type?: string;
  readonly title?: string;
  readonly detail?: string;
  readonly instance?: string;
  readonly errors?: readonly FieldProblem[];
  readonly attempts_remaining?: number;
  readonly budget?: string;
}

/** An answer that is not what was asked for. */
export interface Refusal {
  readonly ok: false;
  readonly status: number;
  /** The name that the problem's `type` ends in, such as `invalid-key`. */
  readonly type: string | undefined;
  readonly problem: Problem;
  /** From `Retry-After`, in seconds. */
  readonly retryAfter: number | undefined;
}

/** The base of all errors of a request. */
export class CountersignError extends Error {
  override readonly name: string = 'CountersignError';
  /** The HTTP status; undefined if there was no answer. */
  readonly status: number | undefined;
  /** The name of the problem, such as `invalid-key`; undefined if the answer was not the service's own. */
  readonly type: string | undefined;
  readonly title: string | undefined;
  readonly detail: string | undefined;
  /** The fields that were refused. */
  readonly errors: readonly FieldProblem[];
  /** The log of the service has the same id. */
  readonly requestId: string | undefined;
  readonly retryAfter: number | undefined;

  constructor(message: string, refusal?: Refusal, options?: ErrorOptions) {
    super(message, options);
    this.status = refusal?.status;
    this.type = refusal?.type;
    this.title = refusal?.problem.title;
    this.detail = refusal?.problem.detail;
    this.errors = refusal?.problem.errors ?? [];
    this.requestId = refusal?.problem.instance?.replace(/^urn:uuid:/, '');
    this.retryAfter = refusal?.retryAfter;
  }
}

/** The request is wrong and would be refused again: 400, and 422 for an Idempotency-Key that was used for another. */
export class InvalidRequestError extends CountersignError {
  override readonly name = 'InvalidRequestError';
}

/** The API key is missing, unknown, revoked or expired, or may not be used from this address: 401. */
export class AuthenticationError extends CountersignError {
  override readonly name = 'AuthenticationError';
}

/** The service could not do it, and trying again did not help: 408 and 5xx. */
export class ServiceError extends CountersignError {
  override readonly name = 'ServiceError';
}

/** There was no answer: no connection, or a timeout. What came of the request is unknown. */
export class ConnectionError extends CountersignError {
  override readonly name = 'ConnectionError';
}

/** @internal */
export function errorOf(refusal: Refusal): CountersignError {
  const { status, type, problem } = refusal;
  const fields = problem.errors?.map(({ field, detail }) => `${field} ${detail}`).join('; ');
  const what = fields || problem.detail || 'the answer is not from a Countersign service itself';
  const message = `${status}${type === undefined ? '' : ` ${type}`}: ${what}`;
  return new (classOf(status))(message, refusal);
}

function classOf(status: number): typeof CountersignError {
  if (status === 400 || status === 422) return InvalidRequestError;
  if (status === 401) return AuthenticationError;
  return status === 408 || status >= 500 ? ServiceError : CountersignError;
}
