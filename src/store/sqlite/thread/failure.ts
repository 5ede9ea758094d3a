/** A failure on its way from a thread of the store: an error would lose its class and SQLite's codes. */
import {
  OutcomeUnknown,
  StoreDamaged,
  StoreUnavailable,
  StoreUnusable,
} from '../../../core/errors/store-failure.ts';
import { storeFile } from '../file/folder.ts';
import { isDamage, isFileUnavailable } from './result-code.ts';

const KEPT = ['code', 'errcode', 'syscall'] as const;

export interface SqliteFailure {
  readonly kind: 'damaged' | 'unavailable' | 'unknown' | 'unusable' | 'fault';
  readonly message: string;
  readonly stack?: string | undefined;
  /** More from Node and SQLite, with extended result codes: https://www.sqlite.org/rescode.html. */
  readonly details: Partial<Record<(typeof KEPT)[number], unknown>>;
}

/** The log may hold the commit, and the disk may not: after a crash the transaction may or may not be there. */
export class BrokenCommit extends Error {}

export function packFailure(error: unknown): SqliteFailure {
  if (!(error instanceof Error)) return { kind: 'fault', message: String(error), details: {} };
  const { message, stack } = error;
  const origin = error instanceof BrokenCommit && error.cause instanceof Error ? error.cause : error;
  const details = Object.fromEntries(
    KEPT.filter((name) => name in origin).map((name) => [name, Reflect.get(origin, name)]),
  );
  return { kind: kindOf(error), message, stack, details };
}

function kindOf(error: Error): SqliteFailure['kind'] {
  if (error instanceof BrokenCommit) return 'unknown';
  if (error instanceof StoreUnusable) return 'unusable';
  if (isDamage(error)) return 'damaged';
  return isFileUnavailable(error) ? 'unavailable' : 'fault';
}

/** Restores the error, with the stack of the thread. */
export function unpackFailure({ kind, message, stack, details }: SqliteFailure, dataDir: string): Error {
  const error = revive(kind, message, dataDir);
  return Object.assign(error, details, stack && { stack: stack.replace(message, () => error.message) });
}

function revive(kind: SqliteFailure['kind'], message: string, dataDir: string): Error {
  switch (kind) {
    case 'damaged':
      return new StoreDamaged(
        `the store ${storeFile(dataDir)} is damaged (${message}); stop the service and put a backup in its place with \`countersign restore\``,
      );
    case 'unavailable':
      return new StoreUnavailable(message);
    case 'unknown':
      return new OutcomeUnknown(message);
    case 'unusable':
      return new StoreUnusable(message);
    case 'fault':
      return new Error(message);
  }
}

/** Adds the place and the remedy to a failure to open the store. */
export function explainRefusal(error: unknown, dataDir: string): unknown {
  if (!(error instanceof StoreUnavailable) || error instanceof StoreDamaged) return error;
  return new StoreUnusable(
    `the store ${storeFile(dataDir)} cannot be opened (${error.message}); give this user write access to it and its folder, and make sure that the disk has room`,
    { cause: error },
  );
}
