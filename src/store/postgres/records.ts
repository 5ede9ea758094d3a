/** Accounts, keys and people. Nodes learn of changes by a counter; SQLite has a version of its own. */
import { createHash } from 'node:crypto';
import pg from 'pg';
import {
  isGuard,
  isReading,
  type RecordOperations,
  type RecordsAnswer,
  type Row,
  type Step,
} from '../../core/sql/records.ts';
import { CHANGE_VERDICT, verdictValues } from '../shared/verdict.ts';
import type { Database } from './connection/database.ts';
import type { PreparedStatement } from './connection/session.ts';
import { createErase } from './verifications/erase.ts';
import { ownUuidOf } from './verifications/verification-id.ts';

// In the transaction of the change: a node that sees the new revision sees the change.
const ANNOUNCE = {
  name: 'announce',
  text: 'UPDATE installation SET keys_revision = keys_revision + 1',
};

const UNIQUE_VIOLATION = '23505';

export function createRecords(db: Database, schema: string): RecordOperations {
  const callErase = createErase(schema);
  const statements = new Map<string, PreparedStatement>();
  const revision = { name: 'keys_revision', text: 'SELECT keys_revision FROM installation' };

  function statementOf(sql: string): PreparedStatement {
    let statement = statements.get(sql);
    if (statement === undefined) {
      const hash = createHash('sha256').update(sql).digest('hex').slice(0, 24);
      statement = { name: `records_${hash}`, text: sql };
      statements.set(sql, statement);
    }
    return statement;
  }

  const questionOf = (
    step: Step,
  ): { readonly statement: PreparedStatement; readonly values: readonly unknown[] } => {
    if ('erase' in step) return callErase(step.erase);
    if ('judge' in step) {
      const { id } = step.judge;
      return { statement: statementOf(CHANGE_VERDICT), values: verdictValues(ownUuidOf(id), step.judge) };
    }
    return { statement: statementOf(step.sql), values: step.args };
  };

  const inTransaction = (steps: readonly Step[], announce: boolean): Promise<RecordsAnswer> =>
    db.transaction(
      async (session): Promise<RecordsAnswer> => {
        const rows: Row[][] = [];
        for (const [index, step] of steps.entries()) {
          const { statement, values } = questionOf(step);
          const found = await run(step, () => session.run<Row>(statement, values));
          if (isGuard(step) && found.length === 0) return { done: false, refusedBy: index };
          rows.push(found);
        }
        if (announce) await session.run(ANNOUNCE, []);
        return { done: true, rows };
      },
      // What only reads has nothing to commit, so nobody can be in doubt about it.
      (answer) => answer.done && (announce || !steps.every(isReading)),
    );

  return {
    async transact(steps, announce = false) {
      const [only, second] = steps;
      // A single statement is its own transaction, with a third of the round trips.
      if (only === undefined || second !== undefined || announce) return inTransaction(steps, announce);
      const { statement, values } = questionOf(only);
      const rows = await run(only, () =>
        isReading(only) ? db.read<Row>(statement, values) : db.query<Row>(statement, values),
      );
      return isGuard(only) && rows.length === 0
        ? { done: false, refusedBy: 0 }
        : { done: true, rows: [rows] };
    },

    async keysRevision() {
      const [row] = await db.read<{ keys_revision: number }>(revision, []);
      if (row === undefined) throw new Error('the row of the installation is missing');
      return row.keys_revision;
    },
  };
}

/** The rows of a step; none for a guard whose unique value another row has. */
async function run(step: Step, ask: () => Promise<Row[]>): Promise<Row[]> {
  try {
    return await ask();
  } catch (error) {
    if (isGuard(step) && error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION) return [];
    throw error;
  }
}
