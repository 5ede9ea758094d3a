/** Google: its RCS for Business API, which is asked whether a telephone has RCS before it is sent a code. */
import type { Carrier, CarrierPorts, OutgoingMessage, TakenMessage } from '../../core/sending/carrier.ts';
import { type AskGateway, createGatewayCarrier, type GatewayLine } from '../gateway/carrier.ts';
import { judgeError } from '../gateway/errors.ts';
import { parseAnswer, textAt } from '../gateway/json-answer.ts';
import type { MessageToken } from '../gateway/message-token.ts';
import { postJson } from '../gateway/request.ts';
import type { GatewayAnswer, GatewayRequest } from '../gateway/transport.ts';
import { accept, isSuccess, type Judge, type Verdict, withoutDoubt } from '../gateway/verdict.ts';
import { lifeOf } from '../rcs.ts';
import { type SenderOf, senderOf } from '../sender-of.ts';
import { GOOGLE_ERRORS } from './errors.ts';
import { messageIdOf } from './message-id.ts';
import type { GoogleOptions } from './options.ts';
import { createCallbackReader } from './receipt.ts';
import { createServiceToken } from './token.ts';

/** Google's own bounds for `ttl`, in s. Below the first, a message is often reported both revoked and delivered. */
const LIFE_S = [10, 1_296_000] as const;

/** @throws Error that names the wrong option */
export function createGoogleCarrier(name: string, options: GoogleOptions, ports: CarrierPorts): Carrier {
  const { clock, callbackUrl } = ports;
  const { clientToken } = options;
  const agentOf = senderOf(options);
  const kept = createServiceToken(clock, options);
  const read =
    clientToken !== undefined && callbackUrl ? createCallbackReader(name, options, clientToken) : undefined;
  return createGatewayCarrier(ports, {
    name,
    lines: {
      rcs: {
        origin: new URL(options.url),
        besides: new URL(options.tokenUrl),
        permit: askFirst(ports, agentOf, kept),
        forget: kept.forget,
        request: ({ id, destination, text, expiresAt }, token = '') => {
          const reference = messageIdOf(id);
          const message = {
            contentMessage: { text: text.toWellFormed() },
            messageTrafficType: 'AUTHENTICATION',
            // Until the code expires: it is taken back when the next channel goes, and is needed if that does not.
            ttl: `${lifeOf({ expiresAt }, clock, LIFE_S)}s`,
          };
          const query = new URLSearchParams({ messageId: reference, agentId: agentOf(destination.country) });
          const path = `${phone(destination)}/agentMessages?${query}`;
          return { ...postJson(`Bearer ${token}`, path, message), reference };
        },
        judge: createJudge(read !== undefined),
        revoke: createRevoke(agentOf, kept),
      },
    },
    readCallback: read,
    acknowledge: 200,
  });
}

const phone = ({ address }: OutgoingMessage['destination']) => `/v1/phones/${address}`;

/** The token for the message, if the telephone has RCS: no code leaves for one that has not. */
function askFirst(
  { clock, random }: CarrierPorts,
  agentOf: SenderOf,
  kept: MessageToken,
): NonNullable<GatewayLine['permit']> {
  return async ({ destination }, ask) => {
    const token = await kept.get(ask);
    if (typeof token !== 'string') return token;
    const query = new URLSearchParams({ requestId: random.uuid(), agentId: agentOf(destination.country) });
    const answer = await ask(plain('GET', token, `${phone(destination)}/capabilities?${query}`));
    if ('kind' in answer) return { outcome: withoutDoubt(answer) };
    if (isSuccess(answer)) return token;
    if (answer.status === 401) kept.forget(token);
    return judgeRefusal(answer, clock.wall());
  };
}

/** A message that is sent again under an id that was used is ignored. */
function createJudge(receiptFollows: boolean): Judge {
  return (answer, now, reference) => {
    if (!isSuccess(answer)) return judgeRefusal(answer, now);
    const named = textAt(parseAnswer(answer.body), 'name')?.split('/').at(-1);
    return accept(named ?? reference, receiptFollows, 'the message has no id');
  };
}

/** It answers at once, and the same whether or not it was too late. */
function createRevoke(agentOf: SenderOf, kept: MessageToken): NonNullable<GatewayLine['revoke']> {
  return async ({ id, destination, reference }: TakenMessage, ask: AskGateway) => {
    const query = new URLSearchParams({ agentId: agentOf(destination.country) });
    const path = `${phone(destination)}/agentMessages/${reference ?? messageIdOf(id)}?${query}`;
    for (let isSecond = false; ; isSecond = true) {
      const token = await kept.get(ask);
      if (typeof token !== 'string') return 'unknown';
      const answer = await ask(plain('DELETE', token, path));
      if (!('kind' in answer) && isSuccess(answer)) return 'unless-arriving';
      if ('kind' in answer || answer.status !== 401) return 'unknown';
      // It was taken back before its end. Another one is tried once.
      kept.forget(token);
      if (isSecond) return 'unknown';
    }
  };
}

function plain(method: string, token: string, path: string): GatewayRequest {
  const headers = {
    authorization: `Bearer ${token}`,
    accept: 'application/json',
    'user-agent': 'countersign',
  };
  return { method, path, headers };
}

function judgeRefusal(answer: GatewayAnswer, now: number): Verdict {
  return judgeError(GOOGLE_ERRORS, textAt(parseAnswer(answer.body), 'error.status'), answer, now);
}
