/** A verified copy of the store in one file, made while the service writes to it. */
import { on } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { type FileHandle, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { type ReportProgress, UNWATCHED } from '../../../core/reporting/progress.ts';
import { hasNoBytes } from '../file/emptied.ts';
import { storeFile } from '../file/folder.ts';
import { appendChecksum } from './checksum.ts';
import type { Contents, FileFault } from './inspection.ts';
import { createPartFile, unfinished } from './part-file.ts';
import type { SnapshotMessage, SnapshotOrder, SnapshotOutcome } from './snapshot.ts';

/** Why there is no backup. Nothing was left behind. */
export type NoBackup =
  | FileFault
  /** There is no store in the folder. */
  | { readonly kind: 'absent' }
  /** The file already exists, and was not changed. */
  | { readonly kind: 'exists'; readonly path: string }
  /** In bytes. */
  | { readonly kind: 'no-room'; readonly needed: number; readonly free: number }
  | { readonly kind: 'unwritable'; readonly detail: string };

export type BackupOutcome = { readonly kind: 'made'; readonly contents: Contents } | NoBackup;

/** What a copy on the store's own disk must leave free for the service. */
const RESERVE_BYTES = 256 * 2 ** 20;
/** A large copy that is flushed all at once would hold up the service's commits. */
const FLUSH_EVERY_MS = 20;

/** Copies the store of a folder into a new file that only its owner can read. */
export async function backUp(dataDir: string, to: string, report = UNWATCHED): Promise<BackupOutcome> {
  const source = storeFile(dataDir);
  // Unlike existsSync, this fails on a folder that we may not enter.
  if (statSync(source, { throwIfNoEntry: false }) === undefined) return { kind: 'absent' };
  if (hasNoBytes(source)) return { kind: 'empty' };
  if (existsSync(to)) return { kind: 'exists', path: to };
  const shortage = await findShortage(source, dirname(to));
  if (shortage !== undefined) return shortage;
  await using part = await createPartFile(to);
  if (part === undefined) return { kind: 'exists', path: unfinished(to) };
  const copied = await snapshot({ source, target: part.path }, part.handle, report);
  if (copied.kind !== 'sound') return copied;
  await appendChecksum(part.handle, report);
  if (!(await part.publish())) return { kind: 'exists', path: to };
  return { kind: 'made', contents: copied.contents };
}

async function findShortage(source: string, folder: string): Promise<NoBackup | undefined> {
  const [store, target, { bavail, bsize }] = await Promise.all([stat(source), stat(folder), statfs(folder)]);
  const log = await stat(`${source}-wal`).catch(() => undefined);
  const reserve = store.dev === target.dev ? RESERVE_BYTES : 0;
  const [needed, free] = [store.size + (log?.size ?? 0) + reserve, bavail * bsize];
  return needed <= free ? undefined : { kind: 'no-room', needed, free };
}

async function snapshot(
  order: SnapshotOrder,
  part: FileHandle,
  report: ReportProgress,
): Promise<SnapshotOutcome> {
  const { size: total } = await stat(order.source);
  const thread = new Worker(new URL('./snapshot-thread.js', import.meta.url), { workerData: order });
  let isCopying = true;
  let over = false;
  const outcome = listen(thread, () => {
    isCopying = false;
    report({ step: 'checking the copy' });
  }).finally(() => {
    over = true;
  });
  while (!over) {
    await part.datasync();
    // What the log still holds is in the copy, but not in the store's file.
    const done = Math.min((await part.stat()).size, total);
    if (isCopying) report({ step: 'copying the store', done, total, unit: 'bytes' });
    await Promise.race([outcome, sleep(FLUSH_EVERY_MS)]);
  }
  return await outcome;
}

async function listen(thread: Worker, onCopied: () => void): Promise<SnapshotOutcome> {
  for await (const [message] of on(thread, 'message')) {
    const said: SnapshotMessage = message;
    if (said.kind !== 'copied') return said;
    onCopied();
  }
  throw new Error('the thread of the copy said nothing');
}
