import { alike, type ErrorTable } from '../gateway/errors.ts';

/**
 * Reasons that the exceptions of sending carry, then the exceptions themselves: all of `AccessDeniedExceptionReason`,
 * `ConflictExceptionReason`, `ServiceQuotaExceededExceptionReason` and `ValidationExceptionReason` of
 * @aws-sdk/client-pinpoint-sms-voice-v2 3.1138.0 (npm). Then the exceptions of signing.
 */
export const AWS_ERRORS: ErrorTable = {
  ACCOUNT_DISABLED: ['configuration', 'account disabled'],
  INSUFFICIENT_ACCOUNT_REPUTATION: ['configuration', 'account reputation too low'],

  DESTINATION_COUNTRY_BLOCKED_BY_PROTECT_CONFIGURATION: ['coverage', 'country blocked'],
  DESTINATION_PHONE_NUMBER_BLOCKED_BY_PROTECT_NUMBER_OVERRIDE: ['permanent', 'number blocked'],
  DESTINATION_PHONE_NUMBER_NOT_VERIFIED: ['coverage', 'sandbox, number not verified'],
  DESTINATION_PHONE_NUMBER_OPTED_OUT: ['permanent', 'recipient opted out'],
  MESSAGE_TYPE_MISMATCH: ['configuration', 'sender is for another message type'],
  NO_ORIGINATION_IDENTITIES_FOUND: ['coverage', 'no sender for this destination'],
  NUMBER_CAPABILITIES_MISMATCH: ['configuration', 'sender cannot do this'],
  RESOURCE_NOT_ACTIVE: ['configuration', 'sender not active'],
  ...alike(
    'configuration',
    'conflicts with the settings',
    'CREATE_REGISTRATION_VERSION_NOT_ALLOWED DELETION_PROTECTION_ENABLED DISASSOCIATE_REGISTRATION_NOT_ALLOWED ' +
      'DISCARD_REGISTRATION_VERSION_NOT_ALLOWED EDIT_REGISTRATION_FIELD_VALUES_NOT_ALLOWED EVENT_DESTINATION_MISMATCH ' +
      'KEYWORD_MISMATCH LAST_PHONE_NUMBER NOTIFY_CONFIGURATION_NOT_ACTIVE OPT_OUT_LIST_MISMATCH ' +
      'PHONE_NUMBER_ASSOCIATED_TO_POOL PHONE_NUMBER_ASSOCIATED_TO_REGISTRATION PHONE_NUMBER_NOT_ASSOCIATED_TO_POOL ' +
      'PHONE_NUMBER_NOT_IN_REGISTRATION_REGION POOL_ASSOCIATED_TO_NOTIFY_CONFIGURATION ' +
      'PROTECT_CONFIGURATION_ASSOCIATED_WITH_CONFIGURATION_SET PROTECT_CONFIGURATION_IS_ACCOUNT_DEFAULT ' +
      'PROTECT_CONFIGURATION_NOT_ASSOCIATED_WITH_CONFIGURATION_SET RCS_AGENT_ALREADY_ASSOCIATED_TO_REGISTRATION_TYPE ' +
      'RCS_AGENT_ASSOCIATED_TO_POOL REGISTRATION_ALREADY_SUBMITTED REGISTRATION_NOT_COMPLETE RESOURCE_ALREADY_ASSOCIATED ' +
      'RESOURCE_ALREADY_EXISTS RESOURCE_DELETION_NOT_ALLOWED RESOURCE_MODIFICATION_NOT_ALLOWED RESOURCE_NOT_EMPTY ' +
      'SELF_MANAGED_OPT_OUTS_MISMATCH SENDER_ID_ASSOCIATED_TO_POOL SUBMIT_REGISTRATION_VERSION_NOT_ALLOWED ' +
      'TWO_WAY_CONFIG_MISMATCH VERIFICATION_ALREADY_COMPLETE VERIFICATION_CODE_EXPIRED',
  ),

  DAILY_DESTINATION_CALL_LIMIT: ['permanent', 'too many calls to this number today'],
  DAILY_NOTIFY_TIER_MESSAGE_LIMIT: ['configuration', 'daily limit reached'],
  ...alike(
    'configuration',
    'monthly spending limit reached',
    'MONTHLY_SPEND_LIMIT_REACHED_FOR_MEDIA MONTHLY_SPEND_LIMIT_REACHED_FOR_NOTIFY MONTHLY_SPEND_LIMIT_REACHED_FOR_RCS ' +
      'MONTHLY_SPEND_LIMIT_REACHED_FOR_TEXT MONTHLY_SPEND_LIMIT_REACHED_FOR_VOICE',
  ),
  ...alike(
    'configuration',
    'account quota reached',
    'ASSOCIATIONS_PER_REGISTRATION CONFIGURATION_SETS_PER_ACCOUNT EVENT_DESTINATIONS_PER_CONFIGURATION_SET ' +
      'KEYWORDS_PER_PHONE_NUMBER KEYWORDS_PER_POOL NOTIFY_CONFIGURATIONS_PER_ACCOUNT OPT_OUT_LISTS_PER_ACCOUNT ' +
      'ORIGINATION_IDENTITIES_PER_POOL PHONE_NUMBERS_PER_ACCOUNT PHONE_NUMBERS_PER_REGISTRATION POOLS_PER_ACCOUNT ' +
      'PROTECT_CONFIGURATIONS_PER_ACCOUNT RCS_AGENTS_PER_ACCOUNT REGISTRATIONS_PER_ACCOUNT ' +
      'REGISTRATION_ATTACHMENTS_CREATED_PER_DAY REGISTRATION_ATTACHMENTS_PER_ACCOUNT REGISTRATION_VERSIONS_CREATED_PER_DAY ' +
      'SENDER_IDS_PER_ACCOUNT TAGS_PER_RESOURCE VERIFICATION_ATTEMPTS_PER_DAY VERIFIED_DESTINATION_NUMBERS_PER_ACCOUNT',
  ),

  CHANNEL_NOT_ENABLED: ['configuration', 'channel not enabled'],
  COUNTRY_CODE_MISMATCH: ['coverage', 'sender belongs to another country'],
  COUNTRY_NOT_ENABLED: ['coverage', 'country not enabled'],
  DESTINATION_COUNTRY_BLOCKED: ['coverage', 'country blocked'],
  FIELD_VALIDATION_FAILED: ['unclear', 'a field is not valid'],
  INTERNATIONAL_SENDING_NOT_SUPPORTED: ['coverage', 'sender cannot send abroad'],
  INVALID_ARN: ['configuration', 'ARN not valid'],
  INVALID_IDENTITY_FOR_DESTINATION_COUNTRY: ['coverage', 'sender not valid in this country'],
  INVALID_PARAMETER: ['unclear', 'a parameter is not valid'],
  MAXIMUM_SIZE_EXCEEDED: ['permanent', 'text too long'],
  OTHER: ['unclear', 'not valid'],
  PRICE_OVER_THRESHOLD: ['coverage', 'price over the threshold'],
  RESOURCE_NOT_ACCESSIBLE: ['configuration', 'sender or configuration set not accessible'],
  SENDER_ID_NOT_REGISTERED: ['coverage', 'sender not registered in this country'],
  SENDER_ID_NOT_SUPPORTED: ['coverage', 'no alphanumeric senders in this country'],
  SENDER_ID_REQUIRES_REGISTRATION: ['coverage', 'sender must be registered in this country'],
  VOICE_CAPABILITY_NOT_AVAILABLE: ['configuration', 'sender cannot call'],
  ...alike(
    'configuration',
    'request not valid',
    'ATTACHMENT_TYPE_NOT_SUPPORTED CANNOT_ADD_OPTED_OUT_NUMBER CANNOT_PARSE INVALID_FILTER_VALUES INVALID_NEXT_TOKEN ' +
      'INVALID_REGISTRATION_ASSOCIATION INVALID_REQUEST MEDIA_TYPE_NOT_SUPPORTED MISSING_PARAMETER ' +
      'PARAMETERS_CANNOT_BE_USED_TOGETHER PHONE_NUMBER_CANNOT_BE_OPTED_IN PHONE_NUMBER_CANNOT_BE_RELEASED ' +
      'REGISTRATION_FIELD_CANNOT_BE_DELETED REQUESTED_SPEND_LIMIT_HIGHER_THAN_SERVICE_LIMIT TWO_WAY_CHANNEL_NOT_PRESENT ' +
      'TWO_WAY_NOT_ENABLED TWO_WAY_NOT_SUPPORTED_IN_COUNTRY TWO_WAY_NOT_SUPPORTED_IN_REGION TWO_WAY_TOPIC_NOT_PRESENT ' +
      'UNKNOWN_OPERATION UNKNOWN_REGISTRATION_FIELD UNKNOWN_REGISTRATION_SECTION UNKNOWN_REGISTRATION_TYPE ' +
      'UNKNOWN_REGISTRATION_VERSION UNSPECIFIED_PARAMETER_NOT_SUPPORTED VERIFICATION_CODE_MISMATCH',
  ),

  AccessDeniedException: ['configuration', 'not allowed'],
  ConflictException: ['configuration', 'conflicts with the settings'],
  InternalServerException: ['temporary', 'internal error'],
  ResourceNotFoundException: ['configuration', 'no such sender or configuration set'],
  ServiceQuotaExceededException: ['configuration', 'quota or spending limit reached'],
  ThrottlingException: ['throttled', 'too many requests'],
  ValidationException: ['unclear', 'message, number or sender not valid'],

  ExpiredTokenException: ['configuration', 'credentials expired'],
  IncompleteSignature: ['configuration', 'signature incomplete'],
  InvalidClientTokenId: ['configuration', 'access key unknown'],
  InvalidSignatureException: ['configuration', 'signature refused, check secret and clock'],
  MissingAuthenticationToken: ['configuration', 'no credentials'],
  UnrecognizedClientException: ['configuration', 'access key unknown'],
};
