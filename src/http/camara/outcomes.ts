/** What becomes of requests, in CAMARA's codes; docs/camara.md has the same table for people. */
import type { FieldErrorCode } from '../../core/errors/field-error.ts';
import type { ConfirmAnswer, RequestAnswer } from '../../core/verification/request.ts';
import { type CamaraRefusal, invalidArgument } from './errors.ts';

const NOT_ALLOWED = 'ONE_TIME_PASSWORD_SMS.PHONE_NUMBER_NOT_ALLOWED';

/** Everything else is an invalid argument. */
const BY_FIELD_ERROR: Partial<Record<FieldErrorCode, CamaraRefusal['code']>> = {
  landline: NOT_ALLOWED,
  premium_rate: NOT_ALLOWED,
  shared_cost: NOT_ALLOWED,
  personal_number: NOT_ALLOWED,
  satellite: NOT_ALLOWED,
  never_sent: NOT_ALLOWED,
  toll_free: NOT_ALLOWED,
  company_wide: NOT_ALLOWED,
  pager: NOT_ALLOWED,
  voicemail: NOT_ALLOWED,
  do_not_send: 'ONE_TIME_PASSWORD_SMS.PHONE_NUMBER_BLOCKED',
  // As of a number that is not of the operator.
  country_not_allowed: 'NOT_FOUND',
  no_route: 'NOT_FOUND',
  no_price: 'NOT_FOUND',
  channel_not_allowed: 'PERMISSION_DENIED',
};

/** No request has an Idempotency-Key. */
type Unasked = { readonly kind: 'idempotency-mismatch' | 'idempotency-in-progress' };

const UNASKED: CamaraRefusal = { code: 'INTERNAL', message: 'The service failed' };

export function refusalOfSending(answer: Exclude<RequestAnswer, { kind: 'issued' }>): CamaraRefusal {
  switch (answer.kind) {
    case 'invalid': {
      const code = BY_FIELD_ERROR[answer.code];
      return code === undefined
        ? invalidArgument(`phoneNumber: ${answer.detail}`)
        : { code, message: answer.detail };
    }
    case 'guarded': {
      const { retryAfterMs } = answer;
      return { code: NOT_ALLOWED, message: 'Nothing is sent to this number for a while', retryAfterMs };
    }
    case 'unanswered':
      return {
        code: 'UNAVAILABLE',
        message: 'Nothing was sent: what has to be known of the number could not be found out',
        retryAfterMs: answer.retryAfterMs,
      };
    case 'limited':
      return { ...LIMITED[answer.scope], retryAfterMs: answer.retryAfterMs };
    case 'exhausted': {
      const { retryAfterMs } = answer;
      return {
        code: 'QUOTA_EXCEEDED',
        message: 'A budget of this service or account is used up',
        retryAfterMs,
      };
    }
    default:
      return ((_unasked: Unasked) => UNASKED)(answer);
  }
}

const LIMITED = {
  key: { code: 'TOO_MANY_REQUESTS', message: 'Too many requests with this API key' },
  destination: {
    code: 'ONE_TIME_PASSWORD_SMS.MAX_OTP_CODES_EXCEEDED',
    message: 'Too many codes were sent to this number. Try later',
  },
  route: { code: 'QUOTA_EXCEEDED', message: 'The daily cap of the route to this number is used up' },
} as const satisfies Record<string, CamaraRefusal>;

const FAILED: CamaraRefusal = {
  code: 'ONE_TIME_PASSWORD_SMS.VERIFICATION_FAILED',
  message: 'The guesses for this authenticationId, or for its number, are used up',
};

const EXPIRED: CamaraRefusal = {
  code: 'ONE_TIME_PASSWORD_SMS.VERIFICATION_EXPIRED',
  message: 'The authenticationId is not valid any more: it is too old, was used, or a newer code was sent',
};

export function refusalOfGuess(answer: Exclude<ConfirmAnswer, { kind: 'confirmed' }>): CamaraRefusal {
  switch (answer.kind) {
    case 'mismatch':
      if (answer.attemptsRemaining === 0) return FAILED;
      return { code: 'ONE_TIME_PASSWORD_SMS.INVALID_OTP', message: 'This is not the code that was sent' };
    case 'attempts-exhausted':
      return FAILED;
    case 'expired':
    case 'already-confirmed':
      return EXPIRED;
    case 'unknown':
      return {
        code: 'NOT_FOUND',
        message: 'No key of this account and kind was given this authenticationId',
      };
    default:
      return ((_unasked: Unasked) => UNASKED)(answer);
  }
}
