/** What each system sends; docs/hooks.md says where each fact comes from. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Channel } from '../../core/destination/channel.ts';
import { plainNumber } from '../../core/destination/plain-number.ts';
import type { HookSystem } from '../../core/hooks/system.ts';
import { codeIn, type Fields, firstTextAt, hookText, type Read } from './payload.ts';

/** A code that a system wants sent. */
export interface Wanted {
  readonly number: string;
  readonly code: string;
  readonly locale: string | undefined;
  readonly channel: Channel | undefined;
  /** The same in every try of one message, and only there. */
  readonly repetition: string;
  /** How long it is a try of the same message, in ms; as long as any request if nothing is said. */
  readonly repetitionMs: number | undefined;
  /** Where number and code stood, for what is said about them. */
  readonly paths: { readonly number: string; readonly code: string };
}

/** Where a system puts things. */
interface Payload {
  readonly number: readonly [string, ...string[]];
  /** International, but without the plus. */
  readonly withoutPlus?: true;
  readonly code: readonly [string, ...string[]];
  /** Which of these is the text of a message, with the code somewhere in it. */
  readonly text?: string;
  readonly locale?: string;
  readonly channelOf?: (fields: Fields) => Channel | undefined;
  /** The header that is the same in every try of one message. Without one, number and code are. */
  readonly id?: string;
  /** What is no code to send. `now` is Unix ms. */
  readonly ignores?: (fields: Fields, now: number) => boolean;
}

const PAYLOADS: Readonly<Record<HookSystem, Payload>> = {
  // The id of its webhook is another one in each try. Older versions know the number only of the user.
  supabase: { number: ['sms/phone', 'user/phone'], withoutPlus: true, code: ['sms/otp'] },
  zitadel: { number: ['contextInfo/recipientPhoneNumber'], code: ['args/code'] },
  authgear: { number: ['to'], code: ['template_variables/code'], locale: 'language_tag' },
  clerk: {
    number: ['data/to_phone_number'],
    code: ['data/data/otp_code', 'data/message'],
    text: 'data/message',
    id: 'svix-id',
    ignores: isNoCodeOfClerk,
  },
  logto: { number: ['to'], withoutPlus: true, code: ['payload/code'], locale: 'payload/locale' },
  fusionauth: {
    number: ['phoneNumber'],
    code: ['code'],
    channelOf: ({ type }) => (type === 'Voice' ? 'voice' : undefined),
  },
  casdoor: { number: ['phoneNumber'], code: ['content'], text: 'content' },
  authentik: { number: ['To'], code: ['Body'] },
  kratos: { number: ['to'], code: ['code'] },
  keycloak: { number: ['phone'], code: ['message'], text: 'message' },
};

/**
 * Systems that do not name their messages try again within seconds. What comes later with the same code is a person who got
 * nothing and asks once more: it is sent, within the limits.
 */
const RETRIED_WITHIN_MS = 30_000;

/** Svix tries for more than a day, and a code is of no use that long. */
const CLERK_USEFUL_MS = 600_000;

/** Clerk sends every event to one address, also those of messages that it has sent itself. */
function isNoCodeOfClerk({ type, data, timestamp }: Fields, now: number): boolean {
  if (type !== 'sms.created') return true;
  if (typeof timestamp === 'number' && now - timestamp > CLERK_USEFUL_MS) return true;
  return (
    typeof data === 'object' &&
    data !== null &&
    'delivered_by_clerk' in data &&
    data.delivered_by_clerk === true
  );
}

/** Undefined: there is nothing to send, and nothing wrong. */
export function readWanted(
  system: HookSystem,
  fields: Fields,
  headers: IncomingHttpHeaders,
  now: number,
): Read<Wanted | undefined> {
  const payload = PAYLOADS[system];
  if (payload.ignores?.(fields, now) === true) return { ok: true, value: undefined };
  const number = firstTextAt(fields, payload.number);
  if (!number.ok) return number;
  const found = firstTextAt(fields, payload.code);
  const code = found.ok && found.path === payload.text ? codeIn(found.value, found.path) : found;
  if (!code.ok) return code;
  const sentTo =
    payload.withoutPlus && /^\d/.test(plainNumber(number.value)) ? `+${number.value}` : number.value;
  const id = payload.id === undefined ? undefined : headers[payload.id];
  return {
    ok: true,
    value: {
      number: sentTo,
      code: code.value,
      locale: payload.locale === undefined ? undefined : localeAt(fields, payload.locale),
      channel: payload.channelOf?.(fields),
      ...(typeof id === 'string'
        ? { repetition: id, repetitionMs: undefined }
        : { repetition: `${sentTo}\0${code.value}`, repetitionMs: RETRIED_WITHIN_MS }),
      paths: { number: number.path, code: found.path },
    },
  };
}

/** A language that cannot be read is no reason to send nothing. */
function localeAt(fields: Fields, path: string): string | undefined {
  const read = hookText(fields, path);
  if (!read.ok) return undefined;
  try {
    return Intl.getCanonicalLocales(read.value).find((tag) => /^[a-z]{2,3}(-|$)/.test(tag));
  } catch {
    return undefined;
  }
}
