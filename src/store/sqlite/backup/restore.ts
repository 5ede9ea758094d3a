/** Puts a backup in place of a folder's store while no service runs. */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { lockFolder, privateFile, storeFile } from '../file/folder.ts';
import { isDamage, isUnwritable } from '../thread/result-code.ts';
import { backUp, type NoBackup } from './backup.ts';
import { verifyChecksum } from './checksum.ts';
import { type Contents, type FileFault, inspect, type NewestVerification } from './inspection.ts';

export interface RestoreOrder {
  readonly from: string;
  readonly dataDir: string;
  /** Whether to replace an existing store, after a copy of it is kept. */
  readonly replace: boolean;
  /** Whether the current secret opens what the backup holds. */
  readonly opens: (newest: NewestVerification) => boolean;
}

export type RestoreOutcome =
  /** `kept` is the path of the copy of the old store. */
  | { readonly kind: 'restored'; readonly contents: Contents; readonly kept: string | undefined }
  | FileFault
  /** Not one of our backups, or its end is missing. */
  | { readonly kind: 'foreign' }
  | { readonly kind: 'wrong-secret' }
  | { readonly kind: 'running' }
  /** The folder has a store, and `replace` is not set. */
  | { readonly kind: 'occupied' }
  /** A log without its store, which SQLite would apply to any store beside it. */
  | { readonly kind: 'stray-log'; readonly path: string }
  | { readonly kind: 'not-kept'; readonly reason: NoBackup }
  /** Another command uses the store. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'unwritable'; readonly detail: string };

/** One step, so that the whole backup is one transaction. SQLite's -1 for this is not allowed by `backup`. */
const ALL_PAGES = 2 ** 31 - 1;

/** Changes the folder only if it answers `restored`. */
export async function restore(order: RestoreOrder): Promise<RestoreOutcome> {
  const { from, dataDir, opens } = order;
  const checksum = await verifyChecksum(from);
  if (checksum === 'missing') return { kind: 'foreign' };
  if (checksum === 'broken') return { kind: 'damaged', detail: 'its checksum does not match' };
  const inspection = inspect(from);
  if (inspection.kind !== 'sound') return inspection;
  const { contents } = inspection;
  if (contents.newest !== undefined && !opens(contents.newest)) return { kind: 'wrong-secret' };

  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  using lock = lockFolder(dataDir);
  if (lock === undefined) return { kind: 'running' };
  return await putInPlace(order, contents);
}

/**
 * Not by renaming: a command that has the store open would go on writing a log beside the wrong file. One transaction
 * replaces the whole store or, if interrupted, nothing.
 */
async function putInPlace(
  { from, dataDir, replace }: RestoreOrder,
  contents: Contents,
): Promise<RestoreOutcome> {
  const target = storeFile(dataDir);
  const log = `${target}-wal`;
  if (!existsSync(target) && existsSync(log)) return { kind: 'stray-log', path: log };
  let kept: string | undefined;
  if (!isEmpty(privateFile(target))) {
    if (!replace) return { kind: 'occupied' };
    kept = join(dataDir, `countersign-${new Date().toISOString().replace(/[-:]|\.\d+/g, '')}.db`);
    const reason = await backUp(dataDir, kept);
    if (reason.kind !== 'made') return { kind: 'not-kept', reason };
  }
  using source = new DatabaseSync(from, { readOnly: true });
  try {
    await backup(source, target, { rate: ALL_PAGES });
  } catch (error) {
    // A step that cannot lock its target fails, but sets no error there: its code means success.
    if (error instanceof Error && 'errcode' in error && error.errcode === 0) return { kind: 'busy' };
    if (isUnwritable(error)) return { kind: 'unwritable', detail: error.message };
    throw error;
  }
  return { kind: 'restored', contents, kept };
}

/** A file without any migration, as an interrupted restore leaves it. */
function isEmpty(file: string): boolean {
  try {
    using db = new DatabaseSync(file, { timeout: 5_000 });
    return db.prepare('PRAGMA user_version').get()?.user_version === 0;
  } catch (error) {
    if (isDamage(error)) return false;
    throw error;
  }
}
