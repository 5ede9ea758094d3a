/** Breaks a store's file on the disk, as a bad sector or a stray write would. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Overwrites every page of a table or an index. The log must be empty, or its pages would be read in their place. */
export function overwrite(dataDir: string, name: string): void {
  const file = join(dataDir, 'countersign.db');
  const [pages, size] = pagesOf(file, name);
  for (const page of pages) write(file, (page - 1) * size, size);
}

/** Overwrites what says that the file is a database. */
export function overwriteHeader(dataDir: string): void {
  write(join(dataDir, 'countersign.db'), 0, 100);
}

function pagesOf(file: string, name: string): [pages: number[], size: number] {
  using db = new DatabaseSync(file, { readOnly: true });
  const rows = db.prepare('SELECT pageno FROM dbstat WHERE name = ?').all(name);
  if (rows.length === 0) throw new Error(`${file} has no ${name}`);
  return [rows.map(({ pageno }) => Number(pageno)), Number(db.prepare('PRAGMA page_size').get()?.page_size)];
}

function write(file: string, at: number, length: number): void {
  const fd = openSync(file, 'r+');
  writeSync(fd, Buffer.alloc(length, 0xd5), 0, length, at);
  closeSync(fd);
}
