import type { ErrorTable } from '../gateway/errors.ts';

/** Errors of requests, from Telnyx's list of API error codes; those of messaging come from its own list. */
export const TELNYX_ERRORS: ErrorTable = {
  10001: ['permanent', 'number inactive'],
  10002: ['permanent', 'number not valid'],
  10003: ['configuration', 'callback address not valid'],
  10004: ['configuration', 'missing parameter'],
  10005: ['configuration', 'no such resource'],
  10006: ['configuration', 'id not valid'],
  10007: ['temporary', 'unexpected error'],
  10008: ['temporary', 'request timeout'],
  10009: ['configuration', 'credentials refused'],
  10010: ['configuration', 'not allowed'],
  10011: ['throttled', 'too many requests'],
  10015: ['permanent', 'bad request'],
  10016: ['permanent', 'number not in E.164'],
  10017: ['configuration', 'no such associated resource'],
  40001: ['permanent', 'number not routable'],
  40002: ['temporary', 'blocked as spam for a while'],
  40003: ['configuration', 'sender blocked as spam'],
  40004: ['temporary', 'rejected by destination'],
  40006: ['temporary', 'recipient unavailable'],
  40008: ['permanent', 'undeliverable'],
  40009: ['permanent', 'text not valid'],
  40011: ['throttled', 'too fast for the network'],
  40012: ['permanent', 'number refused'],
  40013: ['configuration', 'sender refused'],
};
