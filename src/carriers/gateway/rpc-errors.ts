import type { ErrorTable } from './errors.ts';

/** The codes of google.rpc.Code that mean the same to every API that answers with them. */
export const RPC_ERRORS: ErrorTable = {
  ABORTED: ['temporary', 'aborted'],
  CANCELLED: ['temporary', 'cancelled'],
  DEADLINE_EXCEEDED: ['temporary', 'took too long'],
  INTERNAL: ['temporary', 'internal error'],
  INVALID_ARGUMENT: ['unclear', 'invalid argument'],
  RESOURCE_EXHAUSTED: ['throttled', 'quota used up'],
  UNAUTHENTICATED: ['configuration', 'access token refused'],
  UNAVAILABLE: ['temporary', 'service unavailable'],
  UNIMPLEMENTED: ['configuration', 'API not enabled'],
  UNKNOWN: ['temporary', 'unknown error'],
};
