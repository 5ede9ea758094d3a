/** Errors as Twilio's libraries read them: `{code, message, more_info, status}`. */
import type { FastifyReply } from 'fastify';

/** The numbers of Twilio's that are answered, with the HTTP status that each comes with (twilio.com/docs/api/errors). */
const STATUS = {
  /** Authenticate. */
  20003: 401,
  /** Not found; also of a verification that is approved, canceled or expired. */
  20404: 404,
  /** Too many requests. */
  20429: 429,
  /** Internal error. */
  20500: 500,
  /** Service unavailable. */
  20503: 503,
  /** Invalid parameter. */
  60200: 400,
  /** Max check attempts reached. */
  60202: 429,
  /** Max send attempts reached. */
  60203: 429,
  /** Service does not support this feature. */
  60204: 403,
  /** SMS is not supported by landline phone number. */
  60205: 403,
  /** Max rate limits per service reached. */
  60207: 429,
  /** Too many concurrent requests for phone number. */
  60212: 429,
  /** Delivery channel disabled. */
  60223: 400,
  /** Verification delivery attempt blocked, by the fraud guard. */
  60410: 403,
  /** Verification delivery attempt blocked, by what the operator or the account allows. */
  60605: 403,
} as const;

export type TwilioCode = keyof typeof STATUS;

export interface TwilioRefusal {
  readonly code: TwilioCode;
  /** For people; never with a number or a code in it. */
  readonly message: string;
  readonly retryAfterMs?: number | undefined;
}

export function sendTwilioRefusal(
  reply: FastifyReply,
  { code, message, retryAfterMs }: TwilioRefusal,
): FastifyReply {
  const status = STATUS[code];
  if (retryAfterMs !== undefined) {
    reply.header('retry-after', String(Math.max(1, Math.ceil(retryAfterMs / 1000))));
  }
  const more_info = `https://www.twilio.com/docs/errors/${code}`;
  return reply.code(status).send({ code, message, more_info, status });
}

export function invalidParameter(name: string, expected: string): TwilioRefusal {
  return {
    code: 60200,
    message: `Invalid parameter \`${name}\`: ${expected[0]?.toLowerCase()}${expected.slice(1)}`,
  };
}

/** `resource` begins with a slash, as in Twilio's message. */
export function notFound(resource: string): TwilioRefusal {
  return { code: 20404, message: `The requested resource ${resource} was not found` };
}
