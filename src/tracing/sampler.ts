/** Which requests are traced. Everything that belongs to a request follows it. */
import type { SpanContext } from './context.ts';

export type Sampler =
  | 'always_on'
  | 'always_off'
  | 'traceidratio'
  | 'parentbased_always_on'
  | 'parentbased_always_off'
  | 'parentbased_traceidratio';

export type Sample = (traceId: string, parent: SpanContext | undefined) => boolean;

/** The last seven bytes of a trace's id are random, so every service that samples by them takes the same traces. */
const RANDOM_DIGITS = 14;
const RANDOM_RANGE = 2 ** 56;

export function createSample(sampler: Sampler, ratio: number): Sample {
  const name = sampler.replace('parentbased_', '');
  const refusedBelow = (1 - ratio) * RANDOM_RANGE;
  const root = (traceId: string): boolean => {
    if (name !== 'traceidratio') return name === 'always_on';
    return ratio > 0 && Number.parseInt(traceId.slice(-RANDOM_DIGITS), 16) >= refusedBelow;
  };
  if (name === sampler) return root;
  return (traceId, parent) => parent?.sampled ?? root(traceId);
}
