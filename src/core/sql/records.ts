/**
 * Rarely used data (people, sessions, keys, settings) is accessed in SQL that every store understands, instead of code for
 * each store: `$1` for parameters, 0 and 1 for booleans, Unix ms for times, JSON as text.
 */
import type { VerdictChange } from '../guarding/verdict.ts';
import type { Random } from '../seams/random.ts';
import type { Erasure } from '../verification/erasure.ts';

export type Value = string | number | null;

export type Row = Readonly<Record<string, Value>>;

export interface Statement {
  readonly sql: string;
  readonly args: readonly Value[];
  /**
   * If it finds or writes no row, or breaks a unique constraint, the transaction does nothing. Write it with RETURNING.
   */
  readonly guard?: true;
}

/** Each store keeps verifications in tables of its own. Answers one row: how many verifications it `erased`. */
interface ErasureStep {
  readonly erase: Erasure;
}

/** For the same reason. Always a guard. */
interface VerdictStep {
  readonly judge: VerdictChange;
}

export type Step = Statement | ErasureStep | VerdictStep;

export const isGuard = (step: Step): boolean => 'judge' in step || ('sql' in step && step.guard === true);

/** Whatever becomes of the transaction, nothing was done by it. */
export const isReading = (step: Step): boolean => 'sql' in step && /^\s*SELECT\b/i.test(step.sql);

export type RecordsAnswer =
  | { readonly done: true; readonly rows: readonly (readonly Row[])[] }
  /** The index of the step whose guard refused. */
  | { readonly done: false; readonly refusedBy: number };

/** What stores do. */
export interface RecordOperations {
  /**
   * Runs the steps in order as one transaction. `announce` tells every node that its cached keys and settings may be
   * outdated. Rejects with StoreUnavailable if nothing was done, and with OutcomeUnknown if nobody can tell.
   */
  transact(steps: readonly Step[], announce?: boolean): Promise<RecordsAnswer>;
  /** Rises with every announcement of any process; cheap enough to read several times a second. */
  keysRevision(): Promise<number>;
}

export interface Records extends RecordOperations {
  /** What the ids and secrets in rows are drawn from. */
  readonly random: Random;
}

/** Runs a single statement without a guard. */
export async function query(
  records: Pick<Records, 'transact'>,
  sql: string,
  ...args: Value[]
): Promise<readonly Row[]> {
  const answer = await records.transact([{ sql, args }]);
  return answer.done ? (answer.rows[0] ?? []) : [];
}
