/** Tracing, if it is configured. If not, this is all of it that is loaded: the parts stay as they are. */
import type { Config } from '../config/table/schema.ts';
import type { ExporterPace } from './exporter.ts';
import type { Tracing, TracingDraft } from './ports.ts';
import { settingsOf } from './settings.ts';

const UNTRACED: Tracing = {
  carriers: (carriers) => carriers,
  verifications: (store) => store,
  queue: (queue) => queue,
  [Symbol.asyncDispose]: async () => {},
};

export async function prepareTracing(
  config: Pick<Config, 'tracing' | 'store'>,
  pace?: ExporterPace,
): Promise<TracingDraft> {
  const settings = settingsOf(config);
  if (settings === undefined) return { open: () => UNTRACED };
  const { createTracing } = await import('./traced.ts');
  return createTracing(settings, pace);
}
