/** Commands that inspect the configuration. */
import { stringify } from 'yaml';
import { CARRIER_TYPES } from '../carriers/all-types.ts';
import { ConfigError } from '../config/problem.ts';
import { displayConfig } from '../config/table/display.ts';
import { createEditorSchema } from '../config/table/editor-schema.ts';
import { createReference } from '../config/table/reference.ts';
import type { Config } from '../config/table/schema.ts';
import { type Then, thensOf } from '../core/sending/routing.ts';
import { formatDuration } from '../core/verification/limits.ts';
import { loadLookups, UNASKED } from '../lookups/load.ts';
import { listWarnings } from '../proposal/warnings.ts';
import { readConfiguration } from './configuration.ts';
import { EXIT_FAILURE } from './failure.ts';

const MILLIONTHS = 1_000_000;

/** Prints a summary of the configuration in effect, and warnings on standard error; as JSON, what is wrong and the warnings. */
export async function checkConfig({ json = false }: { readonly json?: boolean }): Promise<void> {
  if (json) return printFindings();
  const config = await readConfiguration();
  for (const { key, detail } of await listWarnings(config)) console.error(`warning: ${key}: ${detail}`);
  const proxied = config.trustProxy.length > 0;
  const routes = config.routes.map((route) => {
    const { channel, countries, prefixes, carriers, choose, weights } = route;
    const served = [...(countries ?? []), ...(prefixes ?? [])].join(', ') || 'everywhere';
    const chosen = choose ?? (weights === undefined ? undefined : 'weights');
    const asked = chosen === undefined ? carriers.join(', then ') : `${carriers.join(', ')} by ${chosen}`;
    return `  ${[`${channel} ${served}: ${asked}`, ...thensOf(route).map(describeThen)].join('; then ')}`;
  });
  console.log(
    [
      'ok',
      `serves ${proxied ? 'http behind a proxy' : 'https'} on port ${config.port}, data in ${config.store.url === undefined ? config.dataDir : 'a PostgreSQL'}`,
      `codes of ${config.code.length} ${config.code.alphabet}, valid for ${config.code.validFor / 1_000} s`,
      ...(config.prices.file === undefined
        ? []
        : [`${config.priceRows.length} prices in ${config.currency} from ${config.prices.file}`]),
      'routes:',
      ...routes,
      ...(await describeLookups(config)),
    ].join('\n'),
  );
}

/** Made as for a start, so that what cannot be made shows here. */
async function describeLookups(config: Config): Promise<string[]> {
  using lookups = await loadLookups(config, UNASKED);
  if (lookups === undefined) return [];
  const lines = lookups.all.map(({ name, tells, price, failsClosed, countries }) => {
    const cost = `${price / MILLIONTHS} ${config.currency} a question`;
    const without = failsClosed ? 'nothing is sent' : 'codes are sent';
    return `  ${name} ${countries?.join(', ') ?? 'everywhere'}: tells ${[...tells].join(', ')}; ${cost}; ${without} without an answer`;
  });
  return ['look-ups:', ...lines];
}

function describeThen({ channel, carriers, after }: Then): string {
  const asked = carriers === undefined ? '' : `: ${carriers.join(', then ')}`;
  return `${channel}${after === undefined ? '' : ` after ${formatDuration(after)}`}${asked}`;
}

async function printFindings(): Promise<void> {
  try {
    const warnings = await listWarnings(await readConfiguration());
    console.log(JSON.stringify({ ok: true, problems: [], warnings }, null, 2));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.log(JSON.stringify({ ok: false, problems: error.problems, warnings: [] }, null, 2));
    process.exitCode = EXIT_FAILURE;
  }
}

export async function showConfig({ json = false }: { readonly json?: boolean }): Promise<void> {
  const shown = displayConfig(await readConfiguration(), CARRIER_TYPES);
  process.stdout.write(json ? `${JSON.stringify(shown, null, 2)}\n` : stringify(shown));
}

export function printReference(): void {
  process.stdout.write(createReference(CARRIER_TYPES));
}

export function printSchema(): void {
  process.stdout.write(`${JSON.stringify(createEditorSchema(CARRIER_TYPES), null, 2)}\n`);
}
