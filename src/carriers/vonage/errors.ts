import type { ErrorTable } from '../gateway/errors.ts';

/** `status` of the SMS API, from Vonage's guide to troubleshooting SMS. */
export const SMS_ERRORS: ErrorTable = {
  1: ['throttled', 'throttled'],
  2: ['configuration', 'missing parameters'],
  3: ['unclear', 'invalid parameters'],
  4: ['configuration', 'credentials refused'],
  5: ['temporary', 'internal error'],
  6: ['unclear', 'message cannot be processed'],
  7: ['permanent', 'number barred'],
  8: ['configuration', 'account barred'],
  9: ['configuration', 'no credit'],
  10: ['throttled', 'too many connections'],
  11: ['configuration', 'account not enabled for HTTP'],
  12: ['permanent', 'text too long'],
  14: ['configuration', 'signature refused'],
  15: ['coverage', 'sender not allowed'],
  22: ['unclear', 'network code not valid'],
  23: ['configuration', 'callback address not valid'],
  29: ['coverage', 'destination not in the list of a trial account'],
  32: ['configuration', 'signature and secret together not allowed'],
  33: ['permanent', 'number deactivated'],
};

/** The last part of a problem's `type`, from Vonage's list of API errors. */
export const VOICE_ERRORS: ErrorTable = {
  'low-balance': ['configuration', 'no credit'],
  unauthorized: ['configuration', 'credentials refused'],
  forbidden: ['configuration', 'not allowed'],
  'not-found': ['configuration', 'no such resource'],
  unprovisioned: ['configuration', 'product not enabled'],
  'account-suspended': ['configuration', 'account suspended'],
  'jwt-expired': ['configuration', 'token expired, check the clock'],
  'jwt-revoked': ['configuration', 'token revoked'],
  'invalid-api-key': ['configuration', 'API key not valid'],
  'invalid-params': ['unclear', 'invalid parameters'],
  'invalid-signature': ['configuration', 'signature refused'],
};

/**
 * The same for the Messages API: words that it shares with all of Vonage's APIs, and numbers of its own, of which we could read only
 * these.
 */
export const MESSAGES_ERRORS: ErrorTable = {
  ...VOICE_ERRORS,
  1000: ['throttled', 'throttled'],
  1020: ['unclear', 'invalid parameters'],
  1070: ['configuration', 'no credit'],
  1120: ['coverage', 'sender not allowed'],
};
