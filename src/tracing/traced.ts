/** Tracing that is on. Loaded only then. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { VERSION } from '../version.ts';
import { traceCarrier } from './carriers.ts';
import { Exporter, type ExporterPace } from './exporter.ts';
import { Journeys } from './journeys.ts';
import { createLinks } from './links.ts';
import { createEncode } from './otlp.ts';
import type { TracingDraft, TracingParts } from './ports.ts';
import { traceQueue } from './queue.ts';
import { traceRequests } from './requests.ts';
import { createSample } from './sampler.ts';
import type { TracingSettings } from './settings.ts';
import { type Span, Tracer } from './span.ts';
import { traceVerifications } from './verifications.ts';

const WARN_EVERY_MS = 60_000;

export function createTracing(settings: TracingSettings, pace: ExporterPace = {}): TracingDraft {
  const { sampler, ratio, resource, database } = settings;
  const current = new AsyncLocalStorage<Span>();
  return {
    logFields: () => fieldsOf(current.getStore()),
    open({ records, clock, random, ...parts }) {
      const exporter = new Exporter({
        ...settings,
        ...pace,
        clock,
        random,
        encode: createEncode(resource, VERSION),
        note: createNote({ clock, ...parts }),
      });
      const sample = createSample(sampler, ratio);
      const tracer = new Tracer({ clock, random }, sample, (span) => exporter.add(span));
      const links = createLinks(clock, records);
      const shared = { tracer, current, journeys: new Journeys(), links, database };
      return {
        carriers: (carriers) => carriers.map((carrier) => traceCarrier(carrier, shared)),
        verifications: (store) => traceVerifications(store, shared),
        queue: (queue) => traceQueue(queue, shared),
        requests: (app) => traceRequests(app, tracer, current),
        async [Symbol.asyncDispose]() {
          await links.settled();
          await exporter.close();
        },
      };
    },
  };
}

const NO_FIELDS = {};

/** As OpenTelemetry names them in log lines. */
function fieldsOf(span: Span | undefined): object {
  if (span === undefined) return NO_FIELDS;
  return { trace_id: span.traceId, span_id: span.spanId, trace_flags: span.sampled ? '01' : '00' };
}

/** Counts what became of spans, and says once in a while that some are lost. */
function createNote({ clock, count, log }: Omit<TracingParts, 'records' | 'random'>) {
  let toldAt = Number.NEGATIVE_INFINITY;
  let dropped = 0;
  return (result: 'exported' | 'dropped', spans: number, why?: string): void => {
    count(result, spans);
    if (result === 'exported') return;
    dropped += spans;
    const now = clock.steady();
    if (now - toldAt < WARN_EVERY_MS) return;
    toldAt = now;
    log('warn', 'spans of traces are dropped', { spans: dropped, why });
    dropped = 0;
  };
}
