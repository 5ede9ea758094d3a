/** The file of a new store: there with all its tables, or not at all. */
import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { privateFile } from './folder.ts';
import { unlessExisting } from './unless-existing.ts';

/** Always the same name, so starts that are killed again and again leave one. */
const ownersPart = (file: string): string => `${file}.new`;

/** For the owner of the folder: killed right after it gave the file its name, it has left it two. */
export const forgetPart = (file: string): void => rmSync(ownersPart(file), { force: true });

interface NewStore {
  /** Whether this process owns the folder: then what it finds unfinished is nobody's. */
  readonly exclusive: boolean;
  readonly fill: (db: DatabaseSync) => void;
}

/**
 * SQLite makes an empty file first. A start killed in that moment would leave what a store that lost its content looks like, and
 * nothing else in the folder tells the two apart: lock and secret are there before the store. So the file gets its name when
 * it is filled, and an empty one is never ours. One that another process made meanwhile is left as it is.
 */
export function makeStoreFile(file: string, { exclusive, fill }: NewStore): void {
  const part = exclusive ? ownersPart(file) : `${file}.${randomBytes(6).toString('hex')}.new`;
  rmSync(part, { force: true });
  try {
    fillFile(privateFile(part), fill);
    unlessExisting(() => linkSync(part, file));
  } finally {
    rmSync(part, { force: true });
  }
  const folder = openSync(dirname(file), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

function fillFile(path: string, fill: NewStore['fill']): void {
  using db = new DatabaseSync(path);
  // What is killed is thrown away, so nobody would need a journal on the disk.
  db.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = FULL; PRAGMA fullfsync = ON');
  fill(db);
}
