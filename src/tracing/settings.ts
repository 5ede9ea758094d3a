/** What the options of tracing come to. */
import { hostname } from 'node:os';
import type { Config } from '../config/table/schema.ts';
import { VERSION } from '../version.ts';
import type { Sampler } from './sampler.ts';
import type { Attributes } from './span.ts';

export interface TracingSettings {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly resource: Attributes;
  readonly sampler: Sampler;
  readonly ratio: number;
  readonly database: 'sqlite' | 'postgresql';
}

/** Undefined if nothing is to be traced. */
export function settingsOf({
  tracing,
  store,
}: Pick<Config, 'tracing' | 'store'>): TracingSettings | undefined {
  const { endpoint } = tracing;
  if (endpoint === undefined || tracing.exporter === 'none') return undefined;
  const attributes = tracing.resourceAttributes ?? {};
  return {
    url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
    headers: tracing.headers ?? {},
    resource: {
      'service.version': VERSION,
      'service.instance.id': `${hostname()}/${process.pid}`,
      ...attributes,
      'service.name': tracing.serviceName ?? attributes['service.name'] ?? 'countersign',
    },
    sampler: tracing.sampler,
    ratio: tracing.samplerArg,
    database: store.url === undefined ? 'sqlite' : 'postgresql',
  };
}
