/** A batch of spans is taken from their queue. */
import type { RuleFinding } from '../problem.ts';
import type { Config } from '../table/schema.ts';

export function* checkTracing({ tracing: { queueSize, batchSize } }: Config): Generator<RuleFinding> {
  if (batchSize <= queueSize) return;
  yield {
    key: ['tracing', 'batchSize'],
    wrong: `is ${batchSize}, more than may wait`,
    expected: `at most tracing.queueSize, ${queueSize}`,
    fix: 'lower it, or raise tracing.queueSize (OTEL_BSP_MAX_QUEUE_SIZE)',
  };
}
