import type { ErrorTable } from '../gateway/errors.ts';

/**
 * What `error` of an answer says. Telegram's own pages name only ACCESS_TOKEN_INVALID; the others are those that the libraries
 * tgateway (Python) and tg-gateway-go know.
 */
export const TELEGRAM_ERRORS: ErrorTable = {
  ACCESS_TOKEN_INVALID: ['configuration', 'token refused'],
  ACCESS_TOKEN_REQUIRED: ['configuration', 'no token'],
  BALANCE_NOT_ENOUGH: ['configuration', 'no credit'],
  CALLBACK_URL_INVALID: ['configuration', 'callback address not valid'],
  CODE_INVALID: ['permanent', 'code not valid'],
  CODE_LENGTH_INVALID: ['permanent', 'code too short or too long'],
  FLOOD_WAIT: ['throttled', 'too many requests'],
  PHONE_NUMBER_INVALID: ['permanent', 'number not valid'],
  PHONE_NUMBER_MISMATCH: ['unclear', 'another number than was asked about'],
  PHONE_NUMBER_NOT_AVAILABLE: ['permanent', 'cannot receive codes'],
  PHONE_NUMBER_NOT_FOUND: ['permanent', 'not on Telegram'],
  REQUEST_ID_INVALID: ['temporary', 'request not known any more'],
  REQUEST_ID_REQUIRED: ['unclear', 'no request'],
  SENDER_NOT_OWNED: ['configuration', 'channel of another account'],
  SENDER_NOT_VERIFIED: ['configuration', 'channel not verified'],
  SENDER_USERNAME_INVALID: ['configuration', 'no such channel'],
  TTL_INVALID: ['unclear', 'time to live not valid'],
  UNKNOWN_METHOD: ['configuration', 'no such method'],
};
