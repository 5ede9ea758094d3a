/** Traces are sent as JSON, and a batch of spans is taken from their queue. */
import type { RuleFinding } from '../problem.ts';
import type { Config } from '../table/schema.ts';

const SPOKEN = 'http/json';

export function* checkTracing({ tracing }: Config): Generator<RuleFinding> {
  const { queueSize, batchSize, protocol, tracesProtocol, disabled, exporter } = tracing;
  if (batchSize > queueSize) {
    yield {
      key: ['tracing', 'batchSize'],
      wrong: `is ${batchSize}, more than may wait`,
      expected: `at most tracing.queueSize, ${queueSize}`,
      fix: 'lower it, or raise tracing.queueSize (OTEL_BSP_MAX_QUEUE_SIZE)',
    };
  }
  const sends =
    (tracing.tracesEndpoint ?? tracing.endpoint) !== undefined && !disabled && exporter === 'otlp';
  if (!sends || (tracesProtocol ?? protocol) === SPOKEN) return;
  yield {
    key: ['tracing', tracesProtocol === undefined ? 'protocol' : 'tracesProtocol'],
    wrong: `is ${tracesProtocol ?? protocol}, which this service does not speak`,
    expected: `${SPOKEN}, which a collector takes at the same port as http/protobuf (4318)`,
    fix: `set OTEL_EXPORTER_OTLP_TRACES_PROTOCOL to ${SPOKEN}, and the endpoint to that port`,
  };
}
