import type { FunnelFigures, Overview } from '#contract/overview.ts';
import type { Range } from './range.ts';

const NOTHING: FunnelFigures = {
  requested: 0,
  attempted: 0,
  submitted: 0,
  delivered: 0,
  undelivered: 0,
  failed: 0,
  confirmed: 0,
  cost: 0,
};

/** A point for each step of the range: an empty step is a zero, not a slope between its neighbours. */
export function fillSteps({ series, step }: Pick<Overview, 'series' | 'step'>, { from, to }: Range) {
  const width = step * 1000;
  const counted = new Map(series.map(({ at, funnel }) => [Date.parse(at), funnel]));
  const phase = (counted.keys().next().value ?? 0) % width;
  const steps: { readonly at: number; readonly funnel: FunnelFigures }[] = [];
  for (let at = Math.ceil((from - phase) / width) * width + phase; at <= to; at += width) {
    steps.push({ at, funnel: counted.get(at) ?? NOTHING });
  }
  return steps;
}
