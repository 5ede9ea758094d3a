/**
 * What is asked for seldom (people, sessions, keys, settings) is written once, in SQL that every store understands,
 * instead of once for each store: `$1` for parameters, 0 and 1 for truth, Unix ms for time, JSON as text.
 */

export type Value = string | number | null;

export type Row = Readonly<Record<string, Value>>;

export interface Step {
  readonly sql: string;
  readonly args: readonly Value[];
  /**
   * When it finds or writes no row, or would take what must be unique and is another row's, nothing of the transaction is
   * done. Write it with RETURNING.
   */
  readonly guard?: true;
}

export type RecordsAnswer =
  | { readonly done: true; readonly rows: readonly (readonly Row[])[] }
  /** The index of the step whose guard refused. */
  | { readonly done: false; readonly refusedBy: number };

export interface Records {
  /**
   * Runs the steps in order as one transaction. `announce` tells every node that what it remembers of keys and settings
   * may be wrong. Rejects with StoreUnavailable when nothing was done, and with
   * OutcomeUnknown when that cannot be known.
   */
  transact(steps: readonly Step[], announce?: boolean): Promise<RecordsAnswer>;
  /** Rises whenever something was announced, by whichever process; cheap enough to ask several times a second. */
  keysRevision(): Promise<number>;
}

/** A single statement, which no guard refuses. */
export async function query(records: Records, sql: string, ...args: Value[]): Promise<readonly Row[]> {
  const answer = await records.transact([{ sql, args }]);
  return answer.done ? (answer.rows[0] ?? []) : [];
}
