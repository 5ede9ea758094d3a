/** The embedded store that moves: sound, of one moment, and locked while the move lasts. */
import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { ReportProgress } from '../../core/reporting/progress.ts';
import { type FileFault, inspect, type NewestVerification } from '../sqlite/backup/inspection.ts';
import { lockFolder, storeFile } from '../sqlite/file/folder.ts';
import { knownSchema } from '../sqlite/schema/migrate.ts';
import { isBusy } from '../sqlite/thread/result-code.ts';

export type NoSource =
  | FileFault
  /** There is no store in the folder. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'running' }
  | { readonly kind: 'wrong-secret' }
  /** Its service has not been upgraded to this version. */
  | { readonly kind: 'older'; readonly schema: number; readonly known: number }
  /** Another command is writing to the store. */
  | { readonly kind: 'busy-source' };

export interface MoveSource extends Disposable {
  readonly kind: 'open';
  readonly db: DatabaseSync;
}

export interface SourceOrder {
  /** Folder of the embedded store. */
  readonly dataDir: string;
  /** Whether the current secret opens what the store holds. */
  readonly opens: (newest: NewestVerification) => boolean;
  readonly report: ReportProgress;
}

const PATIENCE_MS = 5_000;

/** Opens the store of a folder and locks it until it is disposed of: no service and no command can change it. */
export function openSource({ dataDir, opens, report }: SourceOrder): MoveSource | NoSource {
  const file = storeFile(dataDir);
  if (statSync(file, { throwIfNoEntry: false }) === undefined) return { kind: 'absent' };
  using parts = new DisposableStack();
  const lock = lockFolder(dataDir);
  if (lock === undefined) return { kind: 'running' };
  parts.use(lock);
  report({ step: 'checking the store' });
  const inspection = inspect(file);
  if (inspection.kind !== 'sound') return inspection;
  const { schema, contents } = inspection;
  const known = knownSchema();
  if (schema < known) return { kind: 'older', schema, known };
  const { newest } = contents;
  if (newest !== undefined && !opens(newest)) return { kind: 'wrong-secret' };
  const db = parts.use(new DatabaseSync(file, { timeout: PATIENCE_MS, defensive: true }));
  try {
    // Held to the end: a key that a command revokes meanwhile would be valid in the database.
    db.exec('BEGIN IMMEDIATE');
  } catch (error) {
    if (isBusy(error)) return { kind: 'busy-source' };
    throw error;
  }
  const held = parts.move();
  return { kind: 'open', db, [Symbol.dispose]: () => held.dispose() };
}
