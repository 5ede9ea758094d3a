/** Statistics. Nodes only add events, and the purge merges them; SQLite counts in the buckets at once. */
import type { TallyStore } from '../../../core/counting/tally.ts';
import { FRESH_WIDTH } from '../../../core/counting/tally-resolution.ts';
import { BIN_COLUMNS, MEASURES } from '../../shared/statistics.ts';
import {
  askLatencies,
  askTallies,
  type Dialect,
  latencyOf,
  type TallyQuestion,
  tallyOf,
} from '../../shared/tally-query.ts';
import type { Database } from '../connection/database.ts';

const BUCKET = 'at, account_id, test, channel, country, carrier';
const measures = Object.values(MEASURES);
const when = (condition: string, type = 'integer') =>
  `CASE WHEN ${condition} THEN amount::${type} ELSE 0 END`;

/** Has the type of the tables' column; with another type the database would read every bucket before it checks the width. */
const FRESH = `${FRESH_WIDTH}::bigint`;

/** Merged buckets and events not yet merged: a statement sees every event in one of the two. */
const DIALECT: Dialect = {
  placeholder: (number) => `$${number}`,
  tallies: `(
    SELECT width, ${BUCKET}, key_id, ${measures.join(', ')} FROM tally
    UNION ALL
    SELECT ${FRESH}, ${BUCKET}, key_id, ${measures.map((column) => when(`event = '${column}'`, column === MEASURES.cost ? 'bigint' : 'integer')).join(', ')}
    FROM tally_event)`,
  latencies: `(
    SELECT width, ${BUCKET}, stage, ${BIN_COLUMNS.join(', ')} FROM latency_tally
    UNION ALL
    SELECT ${FRESH}, ${BUCKET}, event, ${BIN_COLUMNS.map((_, bin) => when(`bin = ${bin}`)).join(', ')}
    FROM tally_event WHERE bin IS NOT NULL)`,
};

export function createTallies(db: Database): TallyStore {
  // Unnamed: there are too many different statements to keep them prepared.
  const rowsOf = ({ text, values }: TallyQuestion) => db.read({ name: '', text }, values);
  return {
    tally: async (query) => (await rowsOf(askTallies(query, DIALECT))).map(tallyOf),
    latencies: async (query) => (await rowsOf(askLatencies(query, DIALECT))).map(latencyOf),
  };
}
