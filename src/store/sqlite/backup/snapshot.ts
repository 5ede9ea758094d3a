/** The thread that copies a store into one file: the thread that started it can flush the copy and hear an interrupt meanwhile. */
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { isDamage, isUnwritable } from '../thread/result-code.ts';
import { type Inspection, inspect } from './inspection.ts';

export interface SnapshotOrder {
  readonly source: string;
  /** An empty file. */
  readonly target: string;
}

export type SnapshotOutcome = Inspection | { readonly kind: 'unwritable'; readonly detail: string };

/** `copied` comes before the outcome: the copy is still to be checked. */
export type SnapshotMessage = SnapshotOutcome | { readonly kind: 'copied' };

const { source, target } = workerData as SnapshotOrder;
say(takeSnapshot());

function say(message: SnapshotMessage): void {
  parentPort?.postMessage(message);
}

/** One statement is one read transaction: the copy shows one moment, however long it takes. */
function takeSnapshot(): SnapshotOutcome {
  try {
    using db = new DatabaseSync(source, { readOnly: true, timeout: 5_000 });
    db.prepare('VACUUM INTO ?').run(target);
  } catch (error) {
    if (isDamage(error)) return { kind: 'damaged', detail: error.message };
    if (isUnwritable(error)) return { kind: 'unwritable', detail: error.message };
    throw error;
  }
  say({ kind: 'copied' });
  return inspect(target);
}
