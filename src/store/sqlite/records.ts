import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { RecordsAnswer, Row, Step } from '../../core/records.ts';
import { isTaken } from './result-code.ts';

/** Statements are ours and few, so that what was prepared is kept. */
export function createRecords(db: DatabaseSync) {
  const prepared = new Map<string, StatementSync>();
  const dataVersion = db.prepare('PRAGMA data_version');
  let announced = 0;

  function run({ sql, args, guard }: Step): Row[] {
    let statement = prepared.get(sql);
    if (statement === undefined) {
      statement = db.prepare(sql);
      prepared.set(sql, statement);
    }
    // `$1` is a name to SQLite, and may be bound without its sign.
    const values = Object.fromEntries(args.map((value, index) => [String(index + 1), value]));
    try {
      return statement.all(values) as Row[];
    } catch (error) {
      if (guard && isTaken(error)) return [];
      throw error;
    }
  }

  return {
    transact(steps: readonly Step[], announce: boolean): RecordsAnswer {
      // The batch's transaction holds the calls of others, too: a refusal undoes what is ours alone.
      db.exec('SAVEPOINT records');
      const rows: Row[][] = [];
      for (const [index, step] of steps.entries()) {
        const found = run(step);
        if (step.guard && found.length === 0) {
          db.exec('ROLLBACK TO records; RELEASE records');
          return { done: false, refusedBy: index };
        }
        rows.push(found);
      }
      db.exec('RELEASE records');
      if (announce) announced++;
      return { done: true, rows };
    },
    /** The version moves when another connection has committed, and not for our own commits. Both only rise. */
    keysRevision: (): number => Number(dataVersion.get()?.data_version) + announced,
  };
}
