/** A store's file that holds no store. We give a file its name when it has all its tables, so something has emptied it. */
import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';

/** Asked before SQLite opens it, which would delete the log beside it. */
export const hasNoBytes = (file: string): boolean => statSync(file).size === 0;

/** Also after an interrupted restore, whose journal SQLite undoes when it opens the file. */
export const hasNoTables = (db: DatabaseSync): boolean =>
  db.prepare('PRAGMA user_version').get()?.user_version === 0;

export const describeEmptied = (file: string): string =>
  `the store ${file} is empty: what it held is gone; stop the service and put a backup in its place with \`countersign restore\`, or remove it if it was never used`;
