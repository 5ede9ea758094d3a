import type { ErrorTable } from '../gateway/errors.ts';
import { RPC_ERRORS } from '../gateway/rpc-errors.ts';

/** `code` of the SMS REST API, from Sinch's list of status codes. */
export const SMS_ERRORS: ErrorTable = {
  syntax_invalid_json: ['unclear', 'body not understood'],
  syntax_invalid_parameter_format: ['unclear', 'number or field not valid'],
  syntax_constraint_violation: ['unclear', 'field out of bounds'],
  unknown_group: ['configuration', 'no such group'],
  unknown_campaign: ['configuration', 'no such campaign'],
  missing_callback_url: ['configuration', 'no callback address'],
};

/** `errorCode` of the Voice API, from Sinch's list of errors. */
export const VOICE_ERRORS: ErrorTable = {
  40001: ['unclear', 'parameter not valid'],
  40002: ['configuration', 'missing parameter'],
  40004: ['configuration', 'application key not valid'],
  40005: ['permanent', 'number without plus'],
};

/** `error.status` of the Conversation API. It takes a message before it looks at the telephone, so none of these is about one. */
export const CONVERSATION_ERRORS: ErrorTable = {
  ...RPC_ERRORS,
  FAILED_PRECONDITION: ['configuration', 'app not ready for RCS'],
  NOT_FOUND: ['configuration', 'no such project or app in this region'],
  PERMISSION_DENIED: ['configuration', 'not allowed, or a limit of the account reached'],
};
