/** CAMARA's SIM Swap 2.1 and Number Recycling 0.2: two-legged, so the number is in the body. */
import { parseAnswer, textAt } from '../carriers/gateway/json-answer.ts';
import { postJson } from '../carriers/gateway/request.ts';
import type { GatewayAnswer } from '../carriers/gateway/transport.ts';
import type { RecyclingOptions, SimSwapOptions } from '../config/table/lookup-options.ts';
import type { NumberFacts } from '../core/lookups/facts.ts';
import type { NumberQuestion } from '../core/lookups/lookup.ts';
import { failedWith, type LookupProvider, type LookupReading } from './provider.ts';

export function createSimSwap(options: SimSwapOptions, uuid: () => string): LookupProvider {
  const hoursOf = ({ swappedWithinHours = 1 }: NumberQuestion) =>
    Math.min(swappedWithinHours, options.maxAge);
  return {
    ...common(options, uuid, (question) => ({ phoneNumber: question.number, maxAge: hoursOf(question) })),
    tells: ['swapped'],
    scopeOf: (question) => String(hoursOf(question)),
    read: (answer) => readAnswer(answer, 'swapped', (swapped) => ({ swapped }), TOO_MANY_HOURS),
  };
}

export function createRecycling(options: RecyclingOptions, uuid: () => string): LookupProvider {
  return {
    ...common(options, uuid, (question) => ({
      phoneNumber: question.number,
      specifiedDate: specifiedDay(question),
    })),
    tells: ['recycled'],
    scopeOf: specifiedDay,
    read: (answer) => readAnswer(answer, 'phoneNumberRecycled', (recycled) => ({ recycled }), TOO_LONG_AGO),
  };
}

/** The day (UTC) of the last confirmation, as RFC 3339 writes it. */
export const specifiedDay = ({ confirmedAt = 0 }: NumberQuestion): string =>
  new Date(confirmedAt).toISOString().slice(0, 10);

function common(
  { url, tokenUrl, clientId, clientSecret, scope }: SimSwapOptions | RecyclingOptions,
  uuid: () => string,
  bodyOf: (question: NumberQuestion) => object,
) {
  const { origin, pathname } = new URL(url);
  const path = `${pathname.replace(/\/$/, '')}/check`;
  return {
    origin: new URL(origin),
    tokens: { url: tokenUrl, clientId, clientSecret, scope },
    request: (question: NumberQuestion, token: string) => {
      const request = postJson(`Bearer ${token}`, path, bodyOf(question));
      return { ...request, headers: { ...request.headers, 'x-correlator': uuid() } };
    },
  };
}

/**
 * Of these the network does not know, or may not say: no failure of it, and nothing about the number. `NOT_FOUND` is said of a path, too:
 * taken as an answer, a wrong address would refuse nobody.
 */
const KNOWS_NOT: ReadonlySet<string> = new Set(['SERVICE_NOT_APPLICABLE', 'IDENTIFIER_NOT_FOUND']);

const TOO_MANY_HOURS = {
  failed: 'HTTP 400: OUT_OF_RANGE; set maxAge to the hours it may say',
  isOurs: true,
} as const;

/** No option could ask for less. Its day is that of one number, so it keeps nobody from asking about others. */
const TOO_LONG_AGO = {
  failed: 'HTTP 400: OUT_OF_RANGE; the network does not look back to the last confirmation',
  isOurs: true,
} as const;

function readAnswer(
  { status, body }: GatewayAnswer,
  field: string,
  factsOf: (value: boolean) => NumberFacts,
  outOfRange: LookupReading,
): LookupReading {
  const answer = parseAnswer(body);
  if (status === 200) {
    const value = textAt(answer, field);
    if (value === 'true' || value === 'false') return { facts: factsOf(value === 'true') };
    return { failed: `an answer without ${field}` };
  }
  const code = textAt(answer, 'code') ?? '';
  if ((status === 404 || status === 422) && KNOWS_NOT.has(code)) return { facts: {} };
  if (status === 400 && code === 'OUT_OF_RANGE') return outOfRange;
  if (status === 404) return { failed: 'HTTP 404; nothing is at url', isOurs: true };
  if (status === 401) return { failed: 'HTTP 401', isOurs: true, isUnauthorized: true };
  return failedWith(status);
}
