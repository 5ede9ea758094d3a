/** Commands that inspect the configuration. */
import { stringify } from 'yaml';
import { createCarriers, INERT } from '../carriers/index.ts';
import { CARRIER_TYPES } from '../carriers/registry.ts';
import { displayConfig } from '../config/table/display.ts';
import { createEditorSchema } from '../config/table/editor-schema.ts';
import { createReference } from '../config/table/reference.ts';
import { warnOfProxies, warnOfSimulated } from '../config/warnings.ts';
import { checkMessages } from '../core/message/message-check.ts';
import { createSpeakers } from '../routing/speakers.ts';
import { readConfiguration } from './configuration.ts';
import { warnOfVoices } from './doctor/voice-warnings.ts';

/** Prints a summary of the configuration in effect, and warnings on standard error. */
export async function checkConfig(): Promise<void> {
  const config = readConfiguration();
  for (const { level, key, detail } of checkMessages(config.messages, config.code.length)) {
    console.error(`${level}: messages.${key}: ${detail}`);
  }
  for (const { key, detail } of [...warnOfProxies(config), ...warnOfSimulated(config)]) {
    console.error(`warning: ${key}: ${detail}`);
  }
  const speakers = createSpeakers(await createCarriers(config, INERT));
  for (const warning of warnOfVoices(config.routes, config.messages, speakers)) {
    console.error(`warning: ${warning}`);
  }
  const proxied = config.trustProxy.length > 0;
  const routes = config.routes.map(({ channel, countries, prefixes, carriers, choose, weights }) => {
    const served = [...(countries ?? []), ...(prefixes ?? [])].join(', ') || 'everywhere';
    const chosen = choose ?? (weights === undefined ? undefined : 'weights');
    const asked = chosen === undefined ? carriers.join(', then ') : `${carriers.join(', ')} by ${chosen}`;
    return `  ${channel} ${served}: ${asked}`;
  });
  console.log(
    [
      'ok',
      `serves ${proxied ? 'http behind a proxy' : 'https'} on port ${config.port}, data in ${config.store.url === undefined ? config.dataDir : 'a PostgreSQL'}`,
      `codes of ${config.code.length} ${config.code.alphabet}, valid for ${config.code.validFor / 1_000} s`,
      'routes:',
      ...routes,
    ].join('\n'),
  );
}

export function showConfig({ json = false }: { readonly json?: boolean }): void {
  const shown = displayConfig(readConfiguration(), CARRIER_TYPES);
  process.stdout.write(json ? `${JSON.stringify(shown, null, 2)}\n` : stringify(shown));
}

export function printReference(): void {
  process.stdout.write(createReference(CARRIER_TYPES));
}

export function printSchema(): void {
  process.stdout.write(`${JSON.stringify(createEditorSchema(CARRIER_TYPES), null, 2)}\n`);
}
