import type { ErrorTable } from '../gateway/errors.ts';

/** Exceptions of sending, and before them the reasons that some carry, from the API reference; then those of signing. */
export const AWS_ERRORS: ErrorTable = {
  DAILY_DESTINATION_CALL_LIMIT: ['permanent', 'too many calls to this number today'],
  DESTINATION_COUNTRY_BLOCKED_BY_PROTECT_CONFIGURATION: ['configuration', 'country blocked'],
  DESTINATION_PHONE_NUMBER_BLOCKED_BY_PROTECT_NUMBER_OVERRIDE: ['permanent', 'number blocked'],
  DESTINATION_PHONE_NUMBER_NOT_VERIFIED: ['configuration', 'sandbox, number not verified'],
  DESTINATION_PHONE_NUMBER_OPTED_OUT: ['permanent', 'recipient opted out'],
  AccessDeniedException: ['configuration', 'not allowed'],
  ConflictException: ['configuration', 'conflicts with the settings'],
  InternalServerException: ['temporary', 'internal error'],
  ResourceNotFoundException: ['configuration', 'no such sender or configuration set'],
  ServiceQuotaExceededException: ['configuration', 'quota or spending limit reached'],
  ThrottlingException: ['throttled', 'too many requests'],
  ValidationException: ['permanent', 'message or number not valid'],
  ExpiredTokenException: ['configuration', 'credentials expired'],
  IncompleteSignature: ['configuration', 'signature incomplete'],
  InvalidClientTokenId: ['configuration', 'access key unknown'],
  InvalidSignatureException: ['configuration', 'signature refused, check secret and clock'],
  MissingAuthenticationToken: ['configuration', 'no credentials'],
  UnrecognizedClientException: ['configuration', 'access key unknown'],
};
