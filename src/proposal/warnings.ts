/** What works, but is most likely not wanted: what `config check` says of a configuration that nothing is wrong with. */
import { createCarriers, INERT } from '../carriers/index.ts';
import type { Config } from '../config/table/schema.ts';
import { warnOfUnpriced } from '../config/unpriced.ts';
import {
  type Warning,
  warnOfCountries,
  warnOfExposed,
  warnOfProxies,
  warnOfSimulated,
} from '../config/warnings.ts';
import { checkMessages } from '../core/message/message-check.ts';
import { createSpeakers, type Speakers } from '../routing/speakers.ts';
import { warnOfFallbacks } from './fallback-warnings.ts';
import { warnOfSenders } from './sender-warnings.ts';
import { warnOfVoices } from './voice-warnings.ts';

/** Reading has refused what does not work at all. */
export const listWarnings = (config: Config): Promise<Warning[]> =>
  withSpeakers(config, async (speakers) => warningsOf(config, speakers));

export function warningsOf(config: Config, speakers: Speakers): Warning[] {
  const messages = checkMessages(config.messages, config.code.length);
  return [
    ...messages.map(({ key, detail }) => ({ key: `messages.${key}`, detail })),
    ...warnOfExposed(config),
    ...warnOfProxies(config),
    ...warnOfCountries(config),
    ...warnOfSimulated(config),
    ...warnOfUnpriced(config),
    ...warnOfSenders(config),
    ...warnOfFallbacks(config),
    ...warnOfVoices(config.routes, config.messages, speakers),
  ];
}

/** Makes the carriers, starts none, and lets go of them. Rejects with an error that names the option if one cannot be made. */
export async function withSpeakers<T>(
  config: Pick<Config, 'carriers'>,
  look: (speakers: Speakers) => Promise<T>,
): Promise<T> {
  const carriers = await createCarriers(config, INERT);
  try {
    return await look(createSpeakers(carriers));
  } finally {
    // In a running service they would stay.
    await Promise.all(carriers.map((carrier) => carrier.stop()));
  }
}
