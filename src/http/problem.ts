/** The one catalogue of what can go wrong, as RFC 9457 problem details. The OpenAPI document and /docs are made from it. */
import type { FastifyReply } from 'fastify';
import type { FieldError } from '../core/errors/field-error.ts';

interface ProblemKind {
  readonly status: number;
  readonly title: string;
  /** What it means and what the client should do; also the default `detail`. */
  readonly doc: string;
}

export const PROBLEMS = {
  'invalid-request': {
    status: 400,
    title: 'The request is invalid',
    doc: 'One or more fields are missing or invalid; `errors` names each of them, and its `code` says why. Correct them and send the request again.',
  },
  'malformed-http': {
    status: 400,
    title: 'Malformed HTTP request',
    doc: 'The request line, a header or the URL cannot be read, or the headers are too large.',
  },
  unauthenticated: {
    status: 401,
    title: 'The API key is missing',
    doc: 'Send the API key in the header `Authorization: Bearer <API_KEY>`.',
  },
  'invalid-key': {
    status: 401,
    title: 'The API key is not valid',
    doc: 'The key is unknown, mistyped, revoked or expired, or may not be used from this address. If you have lost the key, create a new one.',
  },
  'not-signed-in': {
    status: 401,
    title: 'You are not signed in',
    doc: 'This request needs a session of the portal. There is none, or it has ended. Sign in again.',
  },
  'sign-in-failed': {
    status: 401,
    title: 'Sign-in failed',
    doc: 'The email address, password, code or passkey is wrong, or was already used. Check it and try again.',
  },
  'forged-hook': {
    status: 401,
    title: 'The request is not from the system of this hook',
    doc: 'Its signature or its API key is missing or wrong, or its time is more than five minutes off. Check the secret on both sides, and the clocks.',
  },
  'code-mismatch': {
    status: 403,
    title: 'The code does not match',
    doc: 'This is not the code that was sent. `attempts_remaining` says how many guesses are left.',
  },
  'attempts-exhausted': {
    status: 403,
    title: 'No guesses left',
    doc: 'All guesses for this verification, or for its destination, are used up. Even the right code is refused now.',
  },
  'forged-callback': {
    status: 403,
    title: 'The callback is not from the carrier',
    doc: 'Its signature is missing, wrong or too old. Check the carrier’s signing secret, `publicUrl` and the clock.',
  },
  'https-required': {
    status: 403,
    title: 'HTTPS is required',
    doc: 'The request was not encrypted, and was not read. Send it again over HTTPS. There is no redirect.',
  },
  forbidden: {
    status: 403,
    title: 'Your role does not allow this',
    doc: 'Ask an owner of the account to do it, or to change your role.',
  },
  'proof-needed': {
    status: 403,
    title: 'Confirm that it is you',
    doc: 'Your last sign-in or confirmation is more than ten minutes old. Enter your password, use a passkey, or sign in again.',
  },
  'cross-site': {
    status: 403,
    title: 'The request comes from another site',
    doc: 'The portal accepts changes only from its own pages, which send `Sec-Fetch-Site: same-origin` or their `Origin`.',
  },
  'link-spent': {
    status: 403,
    title: 'The link no longer works',
    doc: 'It was used, withdrawn or replaced, or has expired. Ask for a new one.',
  },
  'not-found': {
    status: 404,
    title: 'Not found',
    doc: 'The path does not exist, or nothing that you may see has this id. /docs lists the paths of this service.',
  },
  'verification-not-found': {
    status: 404,
    title: 'No such verification',
    doc: 'No key of the same account and kind, live or test, asked for a verification with this id.',
  },
  'verification-expired': {
    status: 404,
    title: 'The verification has expired',
    doc: 'Its code is no longer valid. Request a new verification.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'The method is not allowed',
    doc: 'The header `Allow` lists the methods that this path accepts.',
  },
  'request-timeout': {
    status: 408,
    title: 'The request took too long to arrive',
    doc: 'The request was not complete in time, so the connection was closed.',
  },
  'already-confirmed': {
    status: 409,
    title: 'The verification is already confirmed',
    doc: 'A verification can be confirmed only once.',
  },
  conflict: {
    status: 409,
    title: 'Conflicts with the current state',
    doc: 'Nothing was changed. `detail` says why.',
  },
  outdated: {
    status: 409,
    title: 'Somebody changed it in the meantime',
    doc: 'Nothing was changed, because it is no longer what you read. Read it again, and then make your change.',
  },
  'idempotency-in-progress': {
    status: 409,
    title: 'The same request is in progress',
    doc: 'A request with this `Idempotency-Key` has not been answered yet. Try again shortly.',
  },
  'idempotency-key-reused': {
    status: 422,
    title: 'The idempotency key was used for another request',
    doc: 'This `Idempotency-Key` was sent before with a different body. Use a new key for each new request.',
  },
  'rate-limited': {
    status: 429,
    title: 'Too many requests with this key',
    doc: 'The API key has reached one of its limits; or, of feedback, the account said as much as it may in a day. Try again after `Retry-After` seconds.',
  },
  'quota-exceeded': {
    status: 429,
    title: 'Too many codes for this destination',
    doc: 'The destination has reached one of its limits. Try again after `Retry-After` seconds.',
  },
  'daily-cap-reached': {
    status: 429,
    title: 'No more codes over this route for now',
    doc: 'The daily cap of the route to this destination is used up, until midnight UTC; or, of missed calls, as many codes are open as may be. Try again after `Retry-After` seconds.',
  },
  'budget-exhausted': {
    status: 429,
    title: 'A budget is used up',
    doc: 'A message could cost more than is left of the budget that `budget` names. Try again after `Retry-After` seconds, when its hour, day or month (UTC) ends.',
  },
  guarded: {
    status: 429,
    title: 'Temporarily not sending to this destination',
    doc: 'Nothing was sent. Try again after `Retry-After` seconds. The operator of the service sees the reason.',
  },
  'too-many-attempts': {
    status: 429,
    title: 'Too many sign-in attempts',
    doc: 'This attempt was not checked. Try again after `Retry-After` seconds.',
  },
  'asked-too-often': {
    status: 429,
    title: 'Asked too often',
    doc: 'Nothing was done. Try again after `Retry-After` seconds.',
  },
  internal: {
    status: 500,
    title: 'Unexpected error',
    doc: 'The service failed. Its log says more under the id in `instance`.',
  },
  overloaded: {
    status: 503,
    title: 'The service is overloaded',
    doc: 'Nothing was done. Try again after `Retry-After` seconds.',
  },
  unavailable: {
    status: 503,
    title: 'The service cannot do this right now',
    doc: 'Nothing was done. Try again after `Retry-After` seconds.',
  },
  'outcome-unknown': {
    status: 503,
    title: 'The outcome is unknown',
    doc: 'The store failed during the write: the request was carried out completely, or not at all. Try again after `Retry-After` seconds. That is safe with the same `Idempotency-Key`.',
  },
} as const satisfies Record<string, ProblemKind>;

export type ProblemName = keyof typeof PROBLEMS;

export const PROBLEM_NAMES = Object.keys(PROBLEMS) as readonly ProblemName[];

/** What a single problem adds to its kind. */
export interface ProblemMembers {
  readonly detail?: string;
  readonly errors?: readonly FieldError[];
  readonly attempts_remaining?: number;
  readonly budget?: string;
}

export const PROBLEM_TYPE = 'application/problem+json';

export const PROBLEMS_PATH = '/problems';

/** Where a kind of problem is described: its `type`. */
export function problemPath(name: ProblemName): string {
  return `${PROBLEMS_PATH}/${name}`;
}

/** The body of a problem. `instance` is the request's id, never its URL: a query may hold a telephone number. */
export function formatProblem(name: ProblemName, requestId: string, members?: ProblemMembers): string {
  const { status, title, doc } = PROBLEMS[name];
  return JSON.stringify({
    type: problemPath(name),
    title,
    status,
    detail: doc,
    instance: `urn:uuid:${requestId}`,
    ...members,
  });
}

/** Answers with a problem, and keeps its name for the log. The caller sets the headers that the kind needs. */
export function sendProblem(reply: FastifyReply, name: ProblemName, members?: ProblemMembers): FastifyReply {
  reply.request.problem = name;
  return (
    reply
      .code(PROBLEMS[name].status)
      .type(PROBLEM_TYPE)
      // As bytes: to a string the framework would add a charset, which this media type does not define.
      .send(Buffer.from(formatProblem(name, reply.request.id, members)))
  );
}

/** Answers 503: trying again soon may succeed. */
export function sendUnavailable(
  reply: FastifyReply,
  name: 'overloaded' | 'unavailable' | 'outcome-unknown',
): FastifyReply {
  return sendProblem(reply.header('retry-after', '1'), name);
}
