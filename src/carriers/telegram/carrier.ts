/** Telegram: its Gateway API, which is asked whether a number can receive a code before it is sent one. */
import type { Clock } from '../../core/seams/clock.ts';
import type { Carrier, CarrierPorts, OutgoingMessage } from '../../core/sending/carrier.ts';
import { createGatewayCarrier, type GatewayLine, type MakeRequest } from '../gateway/carrier.ts';
import { judgeError } from '../gateway/errors.ts';
import { parseAnswer, textAt } from '../gateway/json-answer.ts';
import { postJson } from '../gateway/request.ts';
import type { GatewayAnswer } from '../gateway/transport.ts';
import { accept, isSuccess, type Judge, type Verdict } from '../gateway/verdict.ts';
import { timeLeft } from '../time-left.ts';
import { TELEGRAM_ERRORS } from './errors.ts';
import { LONGEST_CODE, type TelegramOptions } from './options.ts';
import { createPermits, type Permits } from './permits.ts';
import { createCallbackReader } from './receipt.ts';

/** Telegram's own bounds for `ttl`, in s. */
const [MIN_TTL_S, MAX_TTL_S] = [30, 3_600];
/** The codes that it takes. */
const CODE = new RegExp(`^[0-9]{4,${LONGEST_CODE}}$`);

export function createTelegramCarrier(name: string, options: TelegramOptions, ports: CarrierPorts): Carrier {
  const { token } = options;
  const { clock, callbackUrl } = ports;
  const permits = createPermits();
  return createGatewayCarrier(ports, {
    name,
    lines: {
      telegram: {
        origin: new URL(options.url),
        permit: askFirst(clock, token, permits),
        request: createMessageMaker(clock, options, callbackUrl),
        judge: createJudge(permits, callbackUrl !== undefined),
      },
    },
    readCallback: callbackUrl === undefined ? undefined : createCallbackReader(clock, name, token),
    // Telegram takes everything else for a failure.
    acknowledge: 200,
  });
}

/** Costs what the message costs, if the number can receive it; the message itself then costs nothing. */
function askFirst(clock: Clock, token: string, permits: Permits): NonNullable<GatewayLine['permit']> {
  return async ({ id, code, destination }, ask) => {
    if (!CODE.test(code)) return { outcome: UNSENDABLE };
    const kept = permits.of(id);
    if (kept !== undefined) return kept;
    const body = { phone_number: destination.address };
    const answer = await ask(postJson(`Bearer ${token}`, '/checkSendAbility', body));
    if ('kind' in answer) return { outcome: answer };
    const requestId = resultOf(answer);
    if (requestId === undefined) return judgeRefusal(answer, clock.wall());
    permits.keep(id, requestId);
    return requestId;
  };
}

const UNSENDABLE = { kind: 'permanent', reason: `takes only codes of 4 to ${LONGEST_CODE} digits` } as const;

function createMessageMaker(
  clock: Clock,
  { token, senderUsername }: Pick<TelegramOptions, 'token' | 'senderUsername'>,
  callbackUrl: string | undefined,
): MakeRequest {
  return ({ id, code, destination, expiresAt }: OutgoingMessage, permit) => {
    const left = Math.floor(timeLeft(clock, expiresAt) / 1_000);
    const request = postJson(`Bearer ${token}`, '/sendVerificationMessage', {
      phone_number: destination.address,
      request_id: permit,
      code,
      ttl: Math.min(Math.max(left, MIN_TTL_S), MAX_TTL_S),
      ...(senderUsername !== undefined && { sender_username: senderUsername }),
      ...(callbackUrl && { callback_url: callbackUrl }),
    });
    return { ...request, reference: id };
  };
}

function createJudge(permits: Permits, receiptFollows: boolean): Judge {
  return (answer, now, messageId = '') => {
    const permit = permits.of(messageId);
    const requestId = resultOf(answer) ?? (isSentAlready(answer) ? permit : undefined);
    const verdict =
      requestId === undefined
        ? judgeRefusal(answer, now)
        : accept(requestId, receiptFollows, 'the answer holds no request_id');
    const isOver = verdict.outcome.kind !== 'temporary' || errorOf(answer) === 'REQUEST_ID_INVALID';
    if (isOver) permits.forget(messageId);
    return verdict;
  };
}

/** The try before, whose answer we did not get, was taken. */
const isSentAlready = (answer: GatewayAnswer): boolean =>
  answer.status < 500 && errorOf(answer) === 'MESSAGE_ALREADY_SENT';

/** The id of the request, if Telegram did what it was asked. */
function resultOf(answer: GatewayAnswer): string | undefined {
  const body = parseAnswer(answer.body);
  return isSuccess(answer) && textAt(body, 'ok') === 'true' ? textAt(body, 'result.request_id') : undefined;
}

function errorOf({ body }: GatewayAnswer): string | undefined {
  return textAt(parseAnswer(body), 'error');
}

/** `FLOOD_WAIT_7` asks to wait for seven seconds. */
function judgeRefusal(answer: GatewayAnswer, now: number): Verdict {
  const error = errorOf(answer);
  const [, seconds] = /^FLOOD_WAIT_(\d{1,6})$/.exec(error ?? '') ?? [];
  if (seconds === undefined) return judgeError(TELEGRAM_ERRORS, error, answer, now);
  const headers = { ...answer.headers, 'retry-after': seconds };
  return judgeError(TELEGRAM_ERRORS, 'FLOOD_WAIT', { ...answer, headers }, now);
}
