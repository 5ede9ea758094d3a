/** What works, but is most likely not wanted: what `config check` says of a configuration that nothing is wrong with. */
import { createCarriers, INERT } from '../carriers/index.ts';
import { warnOfCountedElsewhere } from '../config/counted-elsewhere.ts';
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
import { warnOfChannelSenders } from './channel-sender-warnings.ts';
import { warnOfFallbacks } from './fallback-warnings.ts';
import { warnOfLookups } from './lookup-warnings.ts';
import { warnOfSenders } from './sender-warnings.ts';
import { warnOfTexts } from './text-warnings.ts';
import { warnOfVoices } from './voice-warnings.ts';

/** Makes the carriers, starts none, and lets go of them. Reading has refused what does not work at all. */
export async function listWarnings(config: Config): Promise<Warning[]> {
  const carriers = await createCarriers(config, INERT);
  try {
    return warningsOf(config, createSpeakers(carriers));
  } finally {
    await Promise.all(carriers.map((carrier) => carrier.stop()));
  }
}

export function warningsOf(config: Config, speakers: Speakers): Warning[] {
  const messages = checkMessages(config.messages, config.code.length);
  return [
    ...messages.map(({ key, detail }) => ({ key: `messages.${key}`, detail })),
    ...warnOfOptions(config),
    ...warnOfSimulated(config),
    ...warnOfUnpriced(config),
    ...warnOfFallbacks(config),
    ...warnOfVoices(config.routes, config.messages, speakers),
  ];
}

/** What the options alone show, whatever runs: the doctor says it too. */
export function warnOfOptions(config: Config): Warning[] {
  return [
    ...warnOfExposed(config),
    ...warnOfProxies(config),
    ...warnOfCountries(config),
    ...warnOfCountedElsewhere(config),
    ...warnOfSenders(config),
    ...warnOfChannelSenders(config),
    ...warnOfTexts(config),
    ...warnOfLookups(config),
  ];
}
