/** Why a field of a request is refused. Programs read the code, people the detail. */

/** The closed list of codes, each with what it means. Codes may be added, but none changes its meaning. */
export const FIELD_ERROR_CODES = {
  missing: 'The field is required and is not there.',
  unknown_field: 'There is no field of this name.',
  wrong_type: 'The value has another JSON type than the field.',
  too_short: 'The text is shorter than the field allows.',
  too_long: 'The text is longer than the field allows.',
  too_small: 'The number is lower than the field allows.',
  too_large: 'The number is higher than the field allows, or the body has too many bytes.',
  too_few_entries: 'The list is shorter than the field allows.',
  too_many_entries: 'The list is longer than the field allows.',
  not_allowed_value: 'The value is none of those that the field allows.',
  wrong_format: 'The text does not have the form that `detail` describes.',
  not_a_time: 'The text is no time in UTC (RFC 3339) in 1970 or later.',

  not_json: 'The body is empty, or is not valid JSON.',
  wrong_encoding: 'The body is compressed, or is not encoded in UTF-8.',
  wrong_media_type: 'The `Content-Type` of the body is not `application/json`.',
  incomplete: 'The connection ended before the body did.',

  unescaped_plus: 'The plus sign of a number is not escaped in the query; write `%2B`.',
  not_e164:
    'The text is not a telephone number in E.164 format, nor another destination that the channel takes.',
  not_a_sip_uri: 'The text starts like a SIP URI, but is none that can be called.',
  invalid_number:
    'The numbering plan of its country has no such number. If it had once, `detail` says by which rule it has changed.',
  landline: 'The number is a landline, which receives no SMS and may not show who calls.',
  premium_rate: 'The number is a premium-rate number.',
  shared_cost: 'The number is a shared-cost number.',
  personal_number: 'The number is a personal number, whose callers pay for passing their calls on.',
  satellite: 'The number belongs to a satellite network.',
  never_sent: 'The number is in a range that the service never sends to.',
  toll_free: 'The number is toll-free.',
  company_wide: 'The number is a company’s universal access number.',
  pager: 'The number is a pager.',
  voicemail: 'The number is a voice mailbox.',
  channel_not_allowed: 'The API key may not use this channel.',
  country_not_allowed:
    'The API key, the account or the service does not send to the country of this destination.',
  do_not_send: 'The destination is on the do-not-send list of the account.',
  no_route: 'The service has no route for this channel or to this destination.',
  no_price: 'A budget of money applies, and nobody has stated what a message to this destination costs.',
  unknown_template: 'The service has no text of this name.',
  not_permitted: 'The API key does not have the permission that the field takes.',
  no_voice: 'The service has no voice for calls in the language of this destination.',

  out_of_order: 'The end of the time span is not after its start.',
  too_far_apart: 'The time span is longer than can be asked for.',
  not_in_future: 'The time is not in the future.',
  not_a_cursor: 'The text is not `next` of an earlier page.',
  not_a_country: 'The text is neither an ISO 3166 alpha-2 code nor `ZZ`.',
  not_a_language: 'The text is not the tag of a language (BCP 47) that messages can be in.',
  not_an_address: 'The text is neither an IP address nor a network.',
  not_a_limit: 'The text is not a rate such as `5/10m`, or is out of bounds.',
  no_effect:
    'It could be set and would change nothing, because the same, or something stricter, holds already.',
  taken: 'Something else has this name.',
  easy_to_guess: 'The password contains your email address, or is too easy to guess.',
  no_match: 'It is not the right password, code or passkey.',
  outdated: 'It was changed in the meantime.',
} as const satisfies Record<string, string>;

export type FieldErrorCode = keyof typeof FIELD_ERROR_CODES;

/** What is wrong with a value. `detail` is for people, and never repeats the value. */
export interface FieldFault {
  readonly code: FieldErrorCode;
  readonly detail: string;
}

/** `field` is `body` for the body as a whole. */
export interface FieldError<Field extends string = string> extends FieldFault {
  readonly field: Field;
}
