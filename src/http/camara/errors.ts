/** Errors as CAMARA has them (Commonalities, CAMARA_common.yaml): `{status, code, message}`. */
import type { FastifyReply } from 'fastify';

/** What each code is answered with. */
const STATUS = {
  INVALID_ARGUMENT: 400,
  'ONE_TIME_PASSWORD_SMS.INVALID_OTP': 400,
  'ONE_TIME_PASSWORD_SMS.VERIFICATION_EXPIRED': 400,
  'ONE_TIME_PASSWORD_SMS.VERIFICATION_FAILED': 400,
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  'ONE_TIME_PASSWORD_SMS.MAX_OTP_CODES_EXCEEDED': 403,
  'ONE_TIME_PASSWORD_SMS.PHONE_NUMBER_NOT_ALLOWED': 403,
  'ONE_TIME_PASSWORD_SMS.PHONE_NUMBER_BLOCKED': 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  UNSUPPORTED_MEDIA_TYPE: 415,
  TOO_MANY_REQUESTS: 429,
  QUOTA_EXCEEDED: 429,
  INTERNAL: 500,
  UNAVAILABLE: 503,
} as const;

export interface CamaraRefusal {
  readonly code: keyof typeof STATUS;
  /** For people; never with a number or a code in it. */
  readonly message: string;
  readonly retryAfterMs?: number | undefined;
}

export function sendCamaraRefusal(
  reply: FastifyReply,
  { code, message, retryAfterMs }: CamaraRefusal,
): FastifyReply {
  const status = STATUS[code];
  if (retryAfterMs !== undefined) {
    reply.header('retry-after', String(Math.max(1, Math.ceil(retryAfterMs / 1000))));
  }
  return reply.code(status).type('application/json').send({ status, code, message });
}

export const invalidArgument = (message: string): CamaraRefusal => ({ code: 'INVALID_ARGUMENT', message });
