/** One look-up of a configuration against a scripted provider, with what it logged. */
import type { TestContext } from 'node:test';
import { loadText } from '../../src/config/fixture.ts';
import { FACTS } from '../../src/core/lookups/facts.ts';
import type { NumberAnswer, NumberQuestion } from '../../src/core/lookups/lookup.ts';
import { createManualClock } from '../../src/core/seams/clock-fixture.ts';
import { SYSTEM_RANDOM } from '../../src/core/seams/random.ts';
import type { CarrierError } from '../../src/core/sending/carrier-state.ts';
import { openLookups } from '../../src/lookups/index.ts';
import { answer, startGateway } from '../carriers/gateway.ts';

export const NUMBER = '+4915112345678';
export const SECRET = 'the-secret-of-the-client';

/** Of a number that was confirmed on the second day of March 2026. */
export const QUESTION: NumberQuestion = {
  number: NUMBER,
  swappedWithinHours: 72,
  portedWithinHours: 48,
  confirmedAt: Date.UTC(2026, 2, 2, 23, 59),
};

/** Of one about which nobody wants to know anything but the type of its line. */
export const PLAIN: Omit<NumberQuestion, 'number'> = {
  swappedWithinHours: undefined,
  portedWithinHours: undefined,
  confirmedAt: undefined,
};

/** What a network that gives tokens is configured with besides its type; `url` is that of the provider. */
export const camara = (url: string, path: string) => ({
  url: `${url}/${path}`,
  tokenUrl: `${url}/oauth/token`,
  clientId: 'client: 1',
  clientSecret: SECRET,
});

export const token = (value: string, expires_in: unknown = 3_600) =>
  answer(200, { access_token: value, token_type: 'Bearer', expires_in });

export async function openLookup(t: TestContext, options: (url: string) => Record<string, unknown>) {
  const provider = await startGateway();
  t.after(() => provider.close());
  const config = loadText(JSON.stringify({ lookups: { one: { price: 0.01, ...options(provider.url) } } }));
  const clock = createManualClock(Date.UTC(2026, 10, 30, 12));
  const said: string[] = [];
  const failures: CarrierError[] = [];
  const lookups = openLookups(config.lookups, {
    ...{ clock, random: SYSTEM_RANDOM },
    log: (level, message, fields) => said.push(`${level} ${message} ${JSON.stringify(fields)}`),
    told: (lookup, failure) => {
      said.push(`${lookup} ${failure === undefined ? 'answered' : 'failed'}`);
      if (failure !== undefined) failures.push(failure);
    },
  });
  t.after(() => lookups[Symbol.dispose]());
  const [lookup] = lookups.that('DE', FACTS);
  if (lookup === undefined) throw new Error('it is for no number of Germany');
  const askOf = async (of: string, question: NumberQuestion): Promise<NumberAnswer> =>
    lookup.permit()?.ask(of, question) ?? 'failed';
  return {
    ...{ provider, lookups, lookup, clock, said, failures },
    ask: (question: Partial<NumberQuestion> = {}) => askOf('hash', { ...QUESTION, ...question }),
    askOf,
    recall: (question: Partial<NumberQuestion> = {}) => lookup.recall('hash', { ...QUESTION, ...question }),
  };
}
