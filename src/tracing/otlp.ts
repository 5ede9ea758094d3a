/** Spans as OTLP writes them in JSON: ids in hexadecimal, 64-bit integers as text, enumerations as numbers. */
import type { Attributes, Span } from './span.ts';

/** The lowest bit says that it is sampled, these that it is known whether the other span is in another process. */
const SAMPLED = 0x1;
const HAS_REMOTE = 0x100;
const REMOTE = 0x200;
const ERROR = { code: 2 };

/** Makes the body of an export. `resource` says which service all of its spans are of. */
export function createEncode(resource: Attributes, version: string): (spans: readonly Span[]) => string {
  const scope = { name: 'countersign', version };
  const origin = { attributes: pairsOf(resource) };
  return (spans) =>
    JSON.stringify({
      resourceSpans: [{ resource: origin, scopeSpans: [{ scope, spans: spans.map(describe) }] }],
    });
}

function describe(span: Span) {
  const { parentId, isContinued = false, link, state } = span.place;
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    traceState: state,
    parentSpanId: parentId,
    flags: flagsOf(isContinued),
    name: span.name,
    kind: span.kind,
    startTimeUnixNano: nanosOf(span.startedAt),
    endTimeUnixNano: nanosOf(span.endedAt),
    attributes: pairsOf(span.attributes),
    // It may have come from another process, on another day.
    links: link && [{ traceId: link.traceId, spanId: link.spanId, flags: flagsOf(true) }],
    status: span.isError ? ERROR : {},
  };
}

/** Only sampled spans are written. */
function flagsOf(isRemote: boolean): number {
  return SAMPLED | HAS_REMOTE | (isRemote ? REMOTE : 0);
}

/** A double holds microseconds of this century exactly, but not nanoseconds. */
function nanosOf(ms: number): string {
  return `${Math.round(ms * 1_000)}000`;
}

function pairsOf(attributes: Attributes) {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: wireValueOf(value) }],
  );
}

function wireValueOf(value: string | number | boolean) {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
