/** Puts a backup in place of a folder's store while no service runs. */
import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { type ReportProgress, UNWATCHED } from '../../../core/reporting/progress.ts';
import { hasNoBytes, hasNoTables } from '../file/emptied.ts';
import { lockFolder, privateFile, storeFile } from '../file/folder.ts';
import { whyRefused } from '../schema/migrate.ts';
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
  readonly report?: ReportProgress;
}

export type RestoreOutcome =
  /** `kept` is the path of the copy of the old store. */
  | { readonly kind: 'restored'; readonly contents: Contents; readonly kept: string | undefined }
  | FileFault
  /** No service of this version would start on it. */
  | { readonly kind: 'refused'; readonly why: string }
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

const REPORT_EVERY_MS = 100;

/** Changes the folder only if it answers `restored`. */
export async function restore(order: RestoreOrder): Promise<RestoreOutcome> {
  const { from, dataDir, opens, report = UNWATCHED } = order;
  const checksum = await verifyChecksum(from, report);
  if (checksum === 'missing') return { kind: 'foreign' };
  if (checksum === 'broken') return { kind: 'damaged', detail: 'its checksum does not match' };
  report({ step: 'checking the backup' });
  const inspection = inspect(from);
  if (inspection.kind !== 'sound') return inspection;
  const why = findRefusal(from);
  if (why !== undefined) return { kind: 'refused', why };
  const { contents } = inspection;
  if (contents.newest !== undefined && !opens(contents.newest)) return { kind: 'wrong-secret' };

  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  using lock = lockFolder(dataDir);
  if (lock === undefined) return { kind: 'running' };
  return await putInPlace(order, contents);
}

function findRefusal(file: string): string | undefined {
  using db = new DatabaseSync(file, { readOnly: true });
  return whyRefused(db);
}

/**
 * Not by renaming: a command that has the store open would go on writing a log beside the wrong file. One transaction
 * replaces the whole store or, if interrupted, nothing.
 */
async function putInPlace(
  { from, dataDir, replace, report = UNWATCHED }: RestoreOrder,
  contents: Contents,
): Promise<RestoreOutcome> {
  const target = storeFile(dataDir);
  const log = `${target}-wal`;
  const isNew = !existsSync(target);
  if ((isNew || hasNoBytes(target)) && existsSync(log)) return { kind: 'stray-log', path: log };
  let kept: string | undefined;
  if (!isEmpty(privateFile(target))) {
    if (!replace) return { kind: 'occupied' };
    kept = join(dataDir, `countersign-${new Date().toISOString().replace(/[-:]|\.\d+/g, '')}.db`);
    const reason = await backUp(dataDir, kept, report);
    if (reason.kind !== 'made') return { kind: 'not-kept', reason };
  }
  using source = new DatabaseSync(from, { readOnly: true });
  using _ = reportGrowth(target, statSync(from).size, report);
  try {
    await backup(source, target, { rate: ALL_PAGES });
  } catch (error) {
    // A step that cannot lock its target fails, but sets no error there: its code means success.
    if (error instanceof Error && 'errcode' in error && error.errcode === 0) return { kind: 'busy' };
    // Left empty, it would look like a store that lost its content.
    if (isNew) rmSync(target, { force: true });
    if (isUnwritable(error)) return { kind: 'unwritable', detail: error.message };
    throw error;
  }
  return { kind: 'restored', contents, kept };
}

/**
 * The one step says nothing until it ends, but what it writes grows meanwhile: a new file itself, or the log of one that is
 * replaced.
 */
function reportGrowth(file: string, total: number, report: ReportProgress): Disposable {
  const size = () =>
    ['', '-wal', '-journal'].reduce((sum, end) => {
      return sum + (statSync(file + end, { throwIfNoEntry: false })?.size ?? 0);
    }, 0);
  const before = size();
  const look = () => {
    const done = Math.min(Math.max(0, size() - before), total);
    report({ step: 'putting the backup in place', done, total, unit: 'bytes' });
  };
  look();
  const timer = setInterval(look, REPORT_EVERY_MS);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/** A file without any migration, as an interrupted restore leaves it. */
function isEmpty(file: string): boolean {
  try {
    using db = new DatabaseSync(file, { timeout: 5_000 });
    return hasNoTables(db);
  } catch (error) {
    if (isDamage(error)) return false;
    throw error;
  }
}
