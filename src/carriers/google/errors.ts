import type { ErrorTable } from '../gateway/errors.ts';
import { RPC_ERRORS } from '../gateway/rpc-errors.ts';

/** What `error.status` of an answer says: the codes that Google's guides name, and those that any of its APIs can answer. */
export const GOOGLE_ERRORS: ErrorTable = {
  ...RPC_ERRORS,
  FAILED_PRECONDITION: ['coverage', 'agent not ready for this'],
  NOT_FOUND: ['permanent', 'cannot be reached over RCS, or not in a network of the agent'],
  PERMISSION_DENIED: ['coverage', 'agent not of this account, or not launched in the network'],
};
