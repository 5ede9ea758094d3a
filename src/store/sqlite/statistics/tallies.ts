/** Statistics, read in a thread of its own from the buckets that the tally book writes. */
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { LatencyQuery, LatencyTally, Tally, TallyQuery } from '../../../core/counting/tally.ts';
import {
  askLatencies,
  askTallies,
  type Dialect,
  latencyOf,
  type TallyQuestion,
  tallyOf,
} from '../../shared/tally-query.ts';

const DIALECT: Dialect = {
  placeholder: (number) => `?${number}`,
  tallies: 'tally',
  latencies: 'latency_tally',
};

export function createTallies(db: DatabaseSync) {
  const rowsOf = ({ text, values }: TallyQuestion): Record<string, SQLOutputValue>[] =>
    db.prepare(text).all(...values.map((value) => (typeof value === 'boolean' ? Number(value) : value)));
  return {
    tally: (query: TallyQuery): Tally[] => rowsOf(askTallies(query, DIALECT)).map(tallyOf),
    latencies: (query: LatencyQuery): LatencyTally[] => rowsOf(askLatencies(query, DIALECT)).map(latencyOf),
  };
}
