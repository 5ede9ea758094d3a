/** The one catalogue of what can go wrong, as RFC 9457 problem details. The OpenAPI document and /docs are made from it. */
import type { FastifyReply } from 'fastify';

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
    doc: 'One or more fields are missing or invalid; `errors` names each of them. Correct them before asking again.',
  },
  'malformed-http': {
    status: 400,
    title: 'This is not HTTP as it should be',
    doc: 'The request line, a header or the URL cannot be read, or the header section is too large.',
  },
  unauthenticated: {
    status: 401,
    title: 'No API key',
    doc: 'Send the API key in the header `Authorization: Bearer <API_KEY>`.',
  },
  'invalid-key': {
    status: 401,
    title: 'The API key is not valid',
    doc: 'The key is unknown, mistyped, revoked or expired, or may not be used from there. Create a new one if it is lost.',
  },
  'not-signed-in': {
    status: 401,
    title: 'Nobody is signed in',
    doc: 'The portal asks for a session, and there is none or it has ended. Sign in.',
  },
  'sign-in-failed': {
    status: 401,
    title: 'That did not sign you in',
    doc: 'The address, the password, the code or the passkey is wrong, or it was used before.',
  },
  'code-mismatch': {
    status: 403,
    title: 'The code does not match',
    doc: 'The code is not the one that was sent. `attempts_remaining` says how many guesses are left.',
  },
  'attempts-exhausted': {
    status: 403,
    title: 'No guesses are left',
    doc: 'The guesses of this verification, or those of its destination, are used up; the right code is refused too.',
  },
  'forged-callback': {
    status: 403,
    title: 'The callback is not from the carrier',
    doc: 'Its signature is missing, wrong or too old. Check the secret that the carrier signs with, `publicUrl` and the clock.',
  },
  'https-required': {
    status: 403,
    title: 'HTTPS is required',
    doc: 'The request travelled in clear and was not read. Ask again over HTTPS; nothing redirects there.',
  },
  forbidden: {
    status: 403,
    title: 'Your role does not allow it',
    doc: 'Your role in this account does not go so far. An owner of the account can do it, or change your role.',
  },
  'proof-needed': {
    status: 403,
    title: 'Prove that it is you',
    doc: 'This is done within ten minutes of a proof of who you are. Give your password or a passkey, or sign in again.',
  },
  'cross-site': {
    status: 403,
    title: 'The request comes from another site',
    doc: 'The portal takes changes from its own pages alone: `Sec-Fetch-Site: same-origin`, or its own `Origin`.',
  },
  'link-spent': {
    status: 403,
    title: 'The link is no longer good',
    doc: 'It was used, withdrawn or replaced, or its time is over. Ask for a new one.',
  },
  'not-found': {
    status: 404,
    title: 'There is nothing here',
    doc: 'No such path, or nothing of that id that you may see. The paths of this service are listed at /docs.',
  },
  'verification-not-found': {
    status: 404,
    title: 'No such verification',
    doc: 'The account of this key has no verification with that id.',
  },
  'verification-expired': {
    status: 404,
    title: 'The verification has expired',
    doc: 'Its code is no longer valid. Request a new verification.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'The method is not allowed',
    doc: 'The header `Allow` lists the methods that this path answers.',
  },
  'request-timeout': {
    status: 408,
    title: 'The request took too long to arrive',
    doc: 'The request was not complete in time and the connection is closed.',
  },
  'already-confirmed': {
    status: 409,
    title: 'The verification is already confirmed',
    doc: 'It was confirmed before; a verification is confirmed once.',
  },
  conflict: {
    status: 409,
    title: 'That does not go with what there is',
    doc: 'Nothing was changed; `detail` says what stands in the way.',
  },
  'idempotency-in-progress': {
    status: 409,
    title: 'The same request is under way',
    doc: 'A request with this `Idempotency-Key` has not been answered yet. Ask again shortly.',
  },
  'idempotency-key-reused': {
    status: 422,
    title: 'The idempotency key belongs to another request',
    doc: 'This `Idempotency-Key` came before with another body. Use a new key for a new request.',
  },
  'rate-limited': {
    status: 429,
    title: 'Too many requests with this key',
    doc: 'A limit of the API key is reached. Ask again after `Retry-After` seconds.',
  },
  'quota-exceeded': {
    status: 429,
    title: 'Too many codes for this destination',
    doc: 'A limit of the destination is reached. Ask again after `Retry-After` seconds.',
  },
  'daily-cap-reached': {
    status: 429,
    title: 'No more codes over this route today',
    doc: 'The daily cap of the route to this destination is used up. Ask again after `Retry-After` seconds, at midnight UTC.',
  },
  'too-many-attempts': {
    status: 429,
    title: 'Too many attempts to sign in',
    doc: 'The attempt was not judged. Try again after `Retry-After` seconds.',
  },
  internal: {
    status: 500,
    title: 'An unexpected error',
    doc: 'The fault is the service’s. Its log tells more under the id in `instance`.',
  },
  overloaded: {
    status: 503,
    title: 'The service is overloaded',
    doc: 'Nothing was done. Ask again after `Retry-After` seconds.',
  },
  unavailable: {
    status: 503,
    title: 'The service cannot store now',
    doc: 'Nothing was done. Ask again after `Retry-After` seconds.',
  },
  'outcome-unknown': {
    status: 503,
    title: 'It is unknown whether this was done',
    doc: 'The store broke off while it was writing: the request was carried out as a whole, or not at all. Ask again after `Retry-After` seconds; under the same `Idempotency-Key`, where there is one, that is safe.',
  },
} as const satisfies Record<string, ProblemKind>;

export type ProblemName = keyof typeof PROBLEMS;

/** Every name of the catalogue, in its order. */
export const PROBLEM_NAMES = Object.keys(PROBLEMS) as readonly ProblemName[];

/** One invalid field; `body` stands for the body as a whole. */
export interface FieldError {
  readonly field: string;
  readonly detail: string;
}

/** What a single problem adds to its kind. */
export interface ProblemMembers {
  readonly detail?: string;
  readonly errors?: readonly FieldError[];
  readonly attempts_remaining?: number;
}

export const PROBLEM_TYPE = 'application/problem+json';

/** Where a kind of problem is described: its `type`. */
export function problemPath(name: ProblemName): string {
  return `/problems/${name}`;
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

/** Answers with a problem and leaves its name for the log. Headers that the kind asks for are the caller's. */
export function sendProblem(reply: FastifyReply, name: ProblemName, members?: ProblemMembers): FastifyReply {
  reply.request.problem = name;
  return (
    reply
      .code(PROBLEMS[name].status)
      .type(PROBLEM_TYPE)
      // As bytes: to a string of JSON the framework would add a charset, which this media type does not define.
      .send(Buffer.from(formatProblem(name, reply.request.id, members)))
  );
}

/** Answers 503: asking again soon may succeed. Nothing was done, unless the name says that nobody knows. */
export function sendUnavailable(
  reply: FastifyReply,
  name: 'overloaded' | 'unavailable' | 'outcome-unknown',
): FastifyReply {
  return sendProblem(reply.header('retry-after', '1'), name);
}
