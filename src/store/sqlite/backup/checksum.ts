/**
 * A checksum at the end of a copy: SQLite's own checks find a torn page, not a flipped bit in a row. SQLite knows how
 * many pages it has and never looks past them, so the file is still a database for every tool.
 */
import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { type ReportProgress, UNWATCHED } from '../../../core/reporting/progress.ts';

const MARK = Buffer.from('countersign copy');
const LENGTH = MARK.length + 32;
const CHUNK = 2 ** 20;

/** Ends the file with the checksum of all that it holds. */
export async function appendChecksum(file: FileHandle, report = UNWATCHED): Promise<void> {
  const { size } = await file.stat();
  await file.write(Buffer.concat([MARK, await digest(file, size, report)]), 0, LENGTH, size);
}

/** `missing`: not one of our copies, or its end was cut off. */
export async function verifyChecksum(
  path: string,
  report: ReportProgress,
): Promise<'intact' | 'broken' | 'missing'> {
  await using file = await open(path);
  const { size } = await file.stat();
  if (size <= LENGTH) return 'missing';
  const end = Buffer.alloc(LENGTH);
  await file.read(end, 0, LENGTH, size - LENGTH);
  if (!end.subarray(0, MARK.length).equals(MARK)) return 'missing';
  const found = await digest(file, size - LENGTH, report);
  return found.equals(end.subarray(MARK.length)) ? 'intact' : 'broken';
}

async function digest(file: FileHandle, size: number, report: ReportProgress): Promise<Buffer> {
  const hash = createHash('sha256');
  const content = file.createReadStream({ start: 0, end: size - 1, autoClose: false, highWaterMark: CHUNK });
  for await (const chunk of content) {
    hash.update(chunk);
    report({ step: 'adding up the checksum', done: content.bytesRead, total: size, unit: 'bytes' });
  }
  return hash.digest();
}
