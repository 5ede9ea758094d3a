import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { VerdictChange } from '../../core/guarding/verdict.ts';
import { isGuard, type RecordsAnswer, type Row, type Statement, type Step } from '../../core/sql/records.ts';
import type { Erasure } from '../../core/verification/erasure.ts';
import { CHANGE_VERDICT, verdictValues } from '../shared/verdict.ts';
import type { EventBook } from './events/event-book.ts';
import { isTaken } from './thread/result-code.ts';

/** Accounts, keys and people. Prepared statements are kept, because they are ours and few. */
export function createRecords(
  db: DatabaseSync,
  erase: (erasure: Erasure) => number,
  events: Pick<EventBook, 'forget'>,
) {
  const prepared = new Map<string, StatementSync>();
  const dataVersion = db.prepare('PRAGMA data_version');
  let announced = 0;
  let known: number | undefined;

  const verdictStatement = (change: VerdictChange): Statement => ({
    sql: CHANGE_VERDICT,
    args: verdictValues(change.id, change),
    guard: true,
  });

  function run(step: Step): Row[] {
    if ('erase' in step) return [{ erased: erase(step.erase) }];
    const { sql, args, guard } = 'judge' in step ? verdictStatement(step.judge) : step;
    let statement = prepared.get(sql);
    if (statement === undefined) {
      statement = db.prepare(sql);
      prepared.set(sql, statement);
    }
    // `$1` is a name to SQLite, and can be bound without the `$`.
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
      // The batch's transaction also holds other calls: a refusal undoes only ours.
      db.exec('SAVEPOINT records');
      const rows: Row[][] = [];
      for (const [index, step] of steps.entries()) {
        const found = run(step);
        if (isGuard(step) && found.length === 0) {
          db.exec('ROLLBACK TO records; RELEASE records');
          return { done: false, refusedBy: index };
        }
        rows.push(found);
      }
      db.exec('RELEASE records');
      if (announce) {
        announced++;
        events.forget();
      }
      return { done: true, rows };
    },
    /** SQLite's version counts the commits of other connections, not our own. Both numbers only rise. */
    keysRevision(): number {
      const revision = Number(dataVersion.get()?.data_version) + announced;
      if (revision !== known) events.forget();
      known = revision;
      return revision;
    },
  };
}
