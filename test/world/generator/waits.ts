/** How long nothing is done, mostly until something ends, and what shows that it has. */
import type { Command } from '../command.ts';
import type { Draw } from '../machine/random.ts';
import type { State } from '../model/state.ts';
import { HOUR, SECOND } from '../model/table.ts';
import { late, pick, weighted } from './chance.ts';
import { edges } from './edges.ts';

const WEIGHTS = {
  moment: 8,
  code: 4,
  sends: 2,
  guesses: 2,
  requests: 1,
  period: 1,
  key: 1,
  repeat: 2,
  retention: 1,
};

/** A moment, or until just before, at, or just after something ends. */
export function wait(s: State, draw: Draw): number {
  const kind = weighted(draw, WEIGHTS);
  const its = kind === 'moment' ? [] : edges(s).filter((it) => it.at > s.now);
  const soon = its.filter((it) => it.at < s.now + HOUR);
  const edge = late(draw, its, (it) => it.kind === kind) ?? late(draw, soon);
  if (edge === undefined) return draw(5 * SECOND + 1);
  return Math.max(0, edge.at - s.now + (pick(draw, [-SECOND, -1, -1, 0, 0, 0, 1, SECOND]) ?? 0));
}

/** What shows that something ends just now. */
export function atEdge(s: State, draw: Draw): Command | undefined {
  const its = edges(s).filter((it) => it.ask !== undefined && Math.abs(it.at - s.now) <= 1);
  return pick(draw, its)?.ask;
}
