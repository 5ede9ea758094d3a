/** What becomes of requests, in Twilio's numbers; docs/twilio.md has the same table for people. */
import type { FieldErrorCode } from '../../core/errors/field-error.ts';
import type { RequestAnswer } from '../../core/verification/request.ts';
import { invalidParameter, type TwilioCode, type TwilioRefusal } from './errors.ts';

/** Everything else is an invalid parameter. */
const BY_FIELD_ERROR: Partial<Record<FieldErrorCode, TwilioCode>> = {
  landline: 60205,
  not_permitted: 60204,
  channel_not_allowed: 60223,
  country_not_allowed: 60605,
  do_not_send: 60605,
  never_sent: 60605,
  premium_rate: 60605,
  shared_cost: 60605,
  personal_number: 60605,
  satellite: 60605,
  no_route: 60605,
  no_price: 60605,
};

/** What Twilio calls a field. */
const PARAMETERS: Readonly<Record<string, string>> = {
  destination: 'To',
  channel: 'Channel',
  'options/locale': 'Locale',
  'options/app_hash': 'AppHash',
  'options/custom_code': 'CustomCode',
  'signals/ip': 'DeviceIp',
};

/** Each tag is a field of its own. */
function nameOfGroup(field: string): string {
  return field.startsWith('metadata') ? 'Tags' : field;
}

export function twilioRefusalOf(answer: Exclude<RequestAnswer, { kind: 'issued' }>): TwilioRefusal {
  switch (answer.kind) {
    case 'invalid': {
      const code = BY_FIELD_ERROR[answer.code];
      if (code !== undefined) return { code, message: answer.detail };
      return invalidParameter(PARAMETERS[answer.field] ?? nameOfGroup(answer.field), answer.detail);
    }
    case 'idempotency-mismatch':
      return invalidParameter('Idempotency-Key', 'it was sent before with a different body');
    case 'idempotency-in-progress':
      return { code: 60212, message: 'The same request is in progress' };
    case 'exhausted':
      return {
        code: 60207,
        message: 'A budget of this service or account is used up',
        retryAfterMs: answer.retryAfterMs,
      };
    case 'guarded':
      return {
        code: 60410,
        message: 'Verification delivery attempt blocked: nothing is sent to this destination for a while',
        retryAfterMs: answer.retryAfterMs,
      };
    case 'unanswered':
      return {
        code: 20503,
        message: 'Nothing was sent: what has to be known of the number could not be found out',
        retryAfterMs: answer.retryAfterMs,
      };
    case 'limited':
      return { ...TWILIO_LIMITED[answer.scope], retryAfterMs: answer.retryAfterMs };
  }
}

export const TWILIO_LIMITED = {
  key: { code: 20429, message: 'Too many requests with this API key' },
  account: { code: 20429, message: 'Too much feedback of this account today' },
  destination: { code: 60203, message: 'Max send attempts reached' },
  route: { code: 60207, message: 'The daily cap of the route to this destination is used up' },
} as const satisfies Record<string, TwilioRefusal>;
