/** The thread that copies a store: the one that started it stays free to flush the copy and to hear an interrupt. */
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { type Inspection, inspect } from './inspection.ts';
import { isDamage, isUnwritable } from './result-code.ts';

export interface FileCopyOrder {
  readonly source: string;
  /** An empty file. */
  readonly target: string;
}

export type FileCopyOutcome = Inspection | { readonly kind: 'unwritable'; readonly detail: string };

const { source, target } = workerData as FileCopyOrder;
parentPort?.postMessage(copy());

/** One statement is one read transaction: the copy is of one moment, however long it takes and whoever writes. */
function copy(): FileCopyOutcome {
  try {
    using db = new DatabaseSync(source, { readOnly: true, timeout: 5_000 });
    db.prepare('VACUUM INTO ?').run(target);
  } catch (error) {
    if (isDamage(error)) return { kind: 'damaged', detail: error.message };
    if (isUnwritable(error)) return { kind: 'unwritable', detail: error.message };
    throw error;
  }
  return inspect(target);
}
