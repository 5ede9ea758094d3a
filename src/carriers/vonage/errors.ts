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
 * The same for the Messages API: words that it shares with all of Vonage's APIs, and numbers of its own. Those of other channels,
 * and of options that we do not send, are not here.
 */
export const MESSAGES_ERRORS: ErrorTable = {
  ...VOICE_ERRORS,
  1000: ['throttled', 'throttled'],
  1010: ['unclear', 'parameters missing'],
  1020: ['unclear', 'invalid parameters'],
  1022: ['configuration', 'template or its parameters not valid'],
  1030: ['temporary', 'internal error'],
  1040: ['permanent', 'number without a known prefix'],
  1050: ['permanent', 'number barred'],
  1060: ['configuration', 'account barred'],
  1070: ['configuration', 'no credit'],
  1080: ['configuration', 'account not enabled for this API'],
  1100: ['temporary', 'communication failed'],
  1110: ['configuration', 'signature refused'],
  1120: ['coverage', 'sender not allowed'],
  1140: ['configuration', 'feature not enabled'],
  1160: ['coverage', 'trial account, number not in its list'],
  1170: ['permanent', 'number missing or not valid'],
  1180: ['temporary', 'number not reachable now'],
  1190: ['permanent', 'number no longer active'],
  1220: ['temporary', 'telephone busy'],
  1230: ['temporary', 'network error'],
  1240: ['permanent', 'recipient opted out'],
  1241: ['throttled', 'too many messages'],
  1250: ['coverage', 'no route'],
  1260: ['permanent', 'number cannot be reached'],
  1300: ['permanent', 'not on WhatsApp'],
  1310: ['permanent', 'telephone cannot receive it'],
  1330: ['unclear', 'unknown error'],
  1340: ['configuration', 'outside the time for free texts, and without a template'],
};
