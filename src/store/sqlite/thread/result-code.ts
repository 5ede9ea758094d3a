/** SQLite's result codes, as they come with an error: https://www.sqlite.org/rescode.html */

const [BUSY, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, NOTADB] = [5, 8, 10, 11, 13, 14, 26];
/** SQLITE_CONSTRAINT_PRIMARYKEY and SQLITE_CONSTRAINT_UNIQUE. */
const TAKEN = [1555, 2067];

const resultCode = (error: unknown): number =>
  error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : Number.NaN;

const among =
  (...codes: readonly (number | undefined)[]) =>
  (error: unknown): error is Error =>
    codes.includes(resultCode(error));

/** A value that must be unique exists already. Primary keys and other indexes have separate codes. */
export const isTaken = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && TAKEN.includes(Number(error.errcode));

/** Caused by the disk or another process, not by the operation. */
export const isFileUnavailable = among(BUSY, READONLY, IOERR, FULL, CANTOPEN);

/** The disk failed to read or write. */
export const isBroken = among(IOERR);

/** Another process holds it. */
export const isBusy = among(BUSY);

export const isFull = among(FULL);

/** The file cannot be written. */
export const isUnwritable = among(READONLY, IOERR, FULL);

/** The file is not a database, or a damaged one. */
export const isDamage = among(CORRUPT, NOTADB);
