import type { ErrorTable } from '../gateway/errors.ts';

/**
 * What `error.status` of an answer says: the codes of google.rpc.Code that its guides name, and those that any of its APIs can answer.
 */
export const GOOGLE_ERRORS: ErrorTable = {
  ABORTED: ['temporary', 'aborted'],
  CANCELLED: ['temporary', 'cancelled'],
  DEADLINE_EXCEEDED: ['temporary', 'took too long'],
  FAILED_PRECONDITION: ['coverage', 'agent not ready for this'],
  INTERNAL: ['temporary', 'internal error'],
  INVALID_ARGUMENT: ['unclear', 'invalid argument'],
  NOT_FOUND: ['permanent', 'cannot be reached over RCS, or not in a network of the agent'],
  PERMISSION_DENIED: ['coverage', 'agent not of this account, or not launched in the network'],
  RESOURCE_EXHAUSTED: ['throttled', 'quota used up'],
  UNAUTHENTICATED: ['configuration', 'access token refused'],
  UNAVAILABLE: ['temporary', 'service unavailable'],
  UNIMPLEMENTED: ['configuration', 'API not enabled'],
  UNKNOWN: ['temporary', 'unknown error'],
};

/** What `error` says where no token is given (RFC 6749, section 5.2). */
export const TOKEN_ERRORS: ErrorTable = {
  invalid_client: ['configuration', 'service account not valid'],
  invalid_grant: ['configuration', 'key of the service account refused, or the clock is wrong'],
  invalid_request: ['configuration', 'request for a token refused'],
  invalid_scope: ['configuration', 'service account without the right to send RCS'],
  unauthorized_client: ['configuration', 'service account not allowed'],
  unsupported_grant_type: ['configuration', 'kind of request not supported'],
};
