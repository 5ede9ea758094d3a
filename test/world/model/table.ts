/** What the documents fix in figures and words: the numbers of the pool, rates, and what each refusal is called at each door. */

import type { Role } from '../command.ts';

export type { Channel } from '../command.ts';
export type Door = 'rest' | 'twilio' | 'camara' | 'hook' | 'portal';

interface Plan {
  readonly country: string;
  readonly calling: string;
  readonly type: 'mobile' | 'landline' | 'personal' | 'invalid';
}

const plan = (country: string, calling: string, type: Plan['type'] = 'mobile'): Plan => ({
  country,
  calling,
  type,
});

/** By the numbering plan of each number: +44 7911 1 is Guernsey's, and +1 500 is personal (destinations.md). */
const NUMBERS: Readonly<Record<string, Plan>> = {
  '+14155550177': plan('US', '1'),
  '+14155550101': plan('US', '1'),
  '+14155550102': plan('US', '1'),
  '+447911123456': plan('GG', '44'),
  '+447911123457': plan('GG', '44'),
  '+4915112345678': plan('DE', '49'),
  '+4915112345679': plan('DE', '49'),
  '+33612345678': plan('FR', '33'),
  '+442079460000': plan('GB', '44', 'landline'),
  '+14165550101': plan('CA', '1'),
  '+1415555': plan('US', '1', 'invalid'),
};
/** No number counts as its own (destinations.md, Countries), so no rule may be about it. */
export const NO_NUMBERS = 'EH';
export const POOL: readonly string[] = Object.keys(NUMBERS);
export const MAGIC = [1, 2, 3, 4, 5, 6].map((n) => `+1500555000${n}`);
export const planOf = (to: string): Plan =>
  NUMBERS[to] ?? (MAGIC.includes(to) ? plan('US', '1', 'personal') : plan('ZZ', '', 'invalid'));

/** The keys that a history begins with. The hook's is `a-live`, so it may bring codes (hooks.md, Set one up). */
export const FIRST_KEYS = [
  { name: 'a-live', account: 'a', test: false, customCodes: true },
  { name: 'a-test', account: 'a', test: true, customCodes: true },
  { name: 'b-live', account: 'b', test: false, customCodes: false },
  { name: 'b-test', account: 'b', test: true, customCodes: true },
] as const;
export const HOOK_KEY = 'a-live';

/** Who is in the accounts at the beginning, with which role. */
export const FIRST_MEMBERS: readonly (readonly [name: string, roles: Readonly<Record<string, Role>>])[] = [
  ['ann', { a: 'owner', b: 'viewer' }],
  ['ida', { a: 'owner' }],
  ['dan', { a: 'developer' }],
  ['vic', { a: 'viewer', b: 'developer' }],
  ['bob', { b: 'owner' }],
];

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
/** Changes of keys, settings and ranges reach every node within this time (keys.md, do-not-send.md). */
export const CHANGE = 1 * SECOND;
/** A third of a lease: what is over may still be sent until then (routing.md, personal-data.md). */
export const LEASE_THIRD = 5 * SECOND;
/**
 * How far a look, a budget or an event may lag behind a carrier. The documents give no bound; after a crash another
 * node goes on when the lease of 15 s is over (operations.md), so this is that and some.
 */
export const SETTLE = 30 * SECOND;
/** How soon the service has surely written down that a carrier took a message. The documents give no bound. */
export const WRITTEN = 2 * SECOND;
/** A message on its way stays with its carrier (operations.md): for a carrier's timeout and a wait before it. */
export const ON_ITS_WAY = 15 * SECOND;
export const ONCE = 24 * HOUR;
export const HOOK_REPEAT = 30 * SECOND;

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: SECOND, m: MINUTE, h: HOUR, d: DAY };
export interface Rate {
  readonly most: number;
  readonly window: number;
}
/** `5/10m`: at most five in any ten minutes (configuration.md). */
export function rateOf(text: string): Rate {
  const [, most, count, unit] = /^(\d+)\/(\d+)(ms|s|m|h|d)$/.exec(text) ?? [];
  return { most: Number(most), window: Number(count) * (UNITS[unit ?? ''] ?? Number.NaN) };
}

/** All but the country code and the last two digits hidden (keys.md, Full numbers). */
export function masked(to: string): string {
  const { calling } = planOf(to);
  const rest = to.slice(1 + calling.length);
  return `+${calling}${'•'.repeat(Math.max(0, rest.length - 2))}${rest.slice(-2)}`;
}

/** As codes are read: spaces and hyphens dropped, lower case as upper (api.md, POST /confirm). */
export const codeRead = (text: string): string => text.replace(/[\s-]/g, '').toUpperCase();

/** The beginning of a refusal that names the field whose value it is about. */
export const NOT_ALLOWED = 'not_allowed_value of ';
/** What each code of the façade may stand for (twilio.md, Errors). */
const TWILIO: Readonly<Record<number, readonly [status: number, ...means: string[]]>> = {
  20003: [401, 'invalid-key'],
  20404: [404, 'twilio-off', 'verification-not-found'],
  20429: [429, 'rate-limited'],
  60200: [
    400,
    'not_e164',
    'invalid_number',
    'idempotency-key-reused',
    'custom-code',
    `${NOT_ALLOWED}channel`,
  ],
  60202: [429, 'attempts-exhausted'],
  60203: [429, 'quota-exceeded'],
  60204: [403, 'not_permitted'],
  60205: [403, 'landline'],
  60207: [429, 'budget-exhausted', 'daily-cap-reached'],
  60212: [429, 'idempotency-in-progress'],
  60223: [400, 'channel_not_allowed'],
  60410: [403, 'guarded'],
  60605: [403, 'country_not_allowed', 'do_not_send', 'personal_number', 'no_route'],
  20503: [503, 'outcome-unknown'],
};
const NEVER = ['landline', 'personal_number', 'guarded'];
const OTP = 'ONE_TIME_PASSWORD_SMS.';
/** What each code of CAMARA may stand for (camara.md, Errors). */
const CAMARA: Readonly<Record<string, readonly [status: number, ...means: string[]]>> = {
  INVALID_ARGUMENT: [400, 'not_e164', 'invalid_number'],
  [`${OTP}INVALID_OTP`]: [400, 'code-mismatch'],
  [`${OTP}VERIFICATION_FAILED`]: [400, 'attempts-exhausted'],
  [`${OTP}VERIFICATION_EXPIRED`]: [400, 'verification-expired', 'already-confirmed'],
  UNAUTHENTICATED: [401, 'invalid-key'],
  PERMISSION_DENIED: [403, 'camara-off', 'channel_not_allowed'],
  [`${OTP}MAX_OTP_CODES_EXCEEDED`]: [403, 'quota-exceeded'],
  [`${OTP}PHONE_NUMBER_NOT_ALLOWED`]: [403, ...NEVER],
  [`${OTP}PHONE_NUMBER_BLOCKED`]: [403, 'do_not_send'],
  NOT_FOUND: [404, 'country_not_allowed', 'no_route', 'verification-not-found'],
  TOO_MANY_REQUESTS: [429, 'rate-limited'],
  QUOTA_EXCEEDED: [429, 'budget-exhausted', 'daily-cap-reached'],
};
/** In place of the key of what no key asked for. */
export const NO_KEY = 'none';
/** What is listed is a range, not a number. */
export const isRange = (what: string): boolean => what.length <= 10;
/** The problems of each status (api.md, Answers that are not 200). */
const REST: Readonly<Record<number, readonly string[]>> = {
  401: ['unauthenticated', 'invalid-key', 'forged-hook'],
  403: ['code-mismatch', 'attempts-exhausted'],
  404: ['verification-not-found', 'verification-expired'],
  409: ['already-confirmed', 'idempotency-in-progress'],
  422: ['idempotency-key-reused'],
  429: [
    ...['quota-exceeded', 'daily-cap-reached', 'budget-exhausted', 'guarded', 'rate-limited'],
    'asked-too-often',
  ],
  503: ['overloaded', 'unavailable', 'outcome-unknown'],
};
/** The codes of invalid fields that a request for a code may have (api.md). */
const FAULTS = [
  ...[
    'not_e164',
    'invalid_number',
    'landline',
    'channel_not_allowed',
    'country_not_allowed',
    'not_permitted',
  ],
  ...['custom-code', 'no_route', 'personal_number', 'do_not_send'],
];
const FIELDS: Readonly<Record<string, RegExp>> = {
  channel_not_allowed: /^channel$/,
  not_permitted: /custom_code$/,
  no_route: /^(channel|destination)$/,
};

export interface Answered {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}
export const fieldOf = (body: unknown, name: string): unknown =>
  typeof body === 'object' && body !== null
    ? Object.entries(body).find(([key]) => key === name)?.[1]
    : undefined;
/** The rules that the list of countries shows, each with the country that it stops (guard.md, Your own rules). */
export function stopsIn(body: unknown): readonly unknown[] {
  const countries = fieldOf(body, 'countries');
  const all: readonly unknown[] = Array.isArray(countries) ? countries : [];
  return all.flatMap((it) => {
    const stops = fieldOf(it, 'stops');
    return Array.isArray(stops) ? stops : [];
  });
}
export const isDone = (answer: Answered): boolean => answer.status === 200 || answer.status === 201;

const IDS: Partial<Record<Door, string>> = { twilio: 'sid', camara: 'authenticationId' };
/** A SID is the id with other letters in front (twilio.md, What a request means here). */
export function idIn(body: unknown, door: Door): string | undefined {
  const id = fieldOf(body, IDS[door] ?? 'id');
  return typeof id === 'string' ? id.replace(/^VE/, 'ver_') : undefined;
}

/** What a refusal may stand for: for each thing that it names a list; [] if no document knows such a refusal. */
export function reasonsOf(answer: Answered, door: Door): readonly (readonly string[])[] {
  const { status, body } = answer;
  if (door === 'twilio') {
    // the message says whether nothing was done
    if (status === 503 && /^Nothing was sent/.test(String(fieldOf(body, 'message'))))
      return [['unavailable']];
    const [its, ...means] = TWILIO[Number(fieldOf(body, 'code'))] ?? [];
    return its === status ? [means] : [];
  }
  if (door === 'camara') {
    // the message says whether nothing was done
    if (status === 503)
      return [[/unknown/.test(String(fieldOf(body, 'message'))) ? 'outcome-unknown' : 'unavailable']];
    const [its, ...means] = CAMARA[String(fieldOf(body, 'code'))] ?? [];
    return its === status ? [means] : [];
  }
  // of a refusal that is told in other words only the status is known (hooks.md)
  if (door === 'hook' && body === null)
    return [status === 400 ? FAULTS : (REST[status] ?? [])].filter((it) => it.length > 0);
  const type = String(fieldOf(body, 'type')).replace(/^.*\//, '');
  const errors = fieldOf(body, 'errors');
  if (type !== 'invalid-request') return REST[status]?.includes(type) === true ? [[type]] : [];
  if (status !== 400 || !Array.isArray(errors)) return [];
  return errors.map((error: unknown) => {
    const [field, code] = [String(fieldOf(error, 'field')), String(fieldOf(error, 'code'))];
    if (code === 'not_allowed_value') return [`${NOT_ALLOWED}${field}`];
    // a hook names fields in its system's words (hooks.md)
    if (door === 'portal' && field === 'number') return [code];
    if (door === 'hook' || (FIELDS[code] ?? /^destination$/).test(field)) return [code];
    return [field.endsWith('custom_code') ? 'custom-code' : `${code} of ${field}`];
  });
}
