import type { ErrorTable } from '../gateway/errors.ts';

/** Statuses with which Infobip refuses a message, from its list of response status and error codes. */
export const INFOBIP_ERRORS: ErrorTable = {
  UNDELIVERABLE_REJECTED_OPERATOR: ['unclear', 'rejected by the operator'],
  UNDELIVERABLE_NOT_DELIVERED: ['permanent', 'not delivered'],
  REJECTED_NETWORK: ['coverage', 'network not covered or not enabled'],
  REJECTED_PREFIX_MISSING: ['permanent', 'number without a known prefix'],
  REJECTED_DND: ['permanent', 'recipient on a do-not-disturb list'],
  REJECTED_SOURCE: ['coverage', 'sender blocked'],
  REJECTED_NOT_ENOUGH_CREDITS: ['configuration', 'no credit'],
  REJECTED_SENDER: ['coverage', 'sender blocked'],
  REJECTED_DESTINATION: ['permanent', 'number blocked'],
  REJECTED_PREPAID_PACKAGE_EXPIRED: ['configuration', 'prepaid package expired'],
  REJECTED_DESTINATION_NOT_REGISTERED: ['coverage', 'number not registered with a trial account'],
  REJECTED_ROUTE_NOT_AVAILABLE: ['coverage', 'no route'],
  REJECTED_FLOODING_FILTER: ['permanent', 'too many messages to this number'],
  REJECTED_SYSTEM_ERROR: ['temporary', 'system error'],
  REJECTED_DUPLICATE_MESSAGE_ID: ['permanent', 'message id used before'],
  REJECTED_INVALID_UDH: ['permanent', 'header not valid'],
  REJECTED_MESSAGE_TOO_LONG: ['permanent', 'text too long'],
  MISSING_TO: ['permanent', 'no number'],
  REJECTED_INVALID_DESTINATION: ['permanent', 'number not valid'],
};
