/** What the failure of a statement or a connection means: whether the database can be used, and whether it did anything. */
import pg from 'pg';
import { OutcomeUnknown, StoreFailure, StoreUnavailable } from '../../../core/errors/store-failure.ts';

/** We gave up waiting. */
export class NoAnswer extends Error {}

/** A deadlock or a conflict between nodes: nothing was written, and the other node went on. */
export function isConflict(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && (error.code === '40001' || error.code === '40P01');
}

/** A lock was not to be had within the transaction's `lock_timeout`: nothing was written. */
export function isLockTimeout(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && error.code === '55P03';
}

const isAnothers = (error: Error): boolean =>
  error instanceof pg.DatabaseError && NOT_OURS.test(error.code ?? '');

/** `committing`: whether the statement that commits was sent. */
export function asFailure(error: unknown, committing: boolean): unknown {
  if (error instanceof StoreFailure || !(error instanceof Error)) return error;
  if (!isDatabaseUnavailable(error) && !isConflict(error) && !isAnothers(error)) return error;
  const Kind = committing && mayBeDone(error) ? OutcomeUnknown : StoreUnavailable;
  return new Kind(reasonOf(error), { cause: error });
}

/** Errors of sockets that tried several addresses have a code but no message. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message === '' && 'code' in error ? String(error.code) : error.message;
}

/** An error from the server about a statement means that it did not run the statement. */
function mayBeDone(error: Error): boolean {
  return !(error instanceof pg.DatabaseError) || SESSION_ENDED.test(error.code ?? '');
}

// Ends a session at any moment: a shutdown, the crash of another process, a pooler that lost its server.
const SESSION_ENDED = /^(08...|57P..)$/;

// Connection, insufficient resources, operator intervention, system error, authentication, no such database;
// a lock timeout; a server that only reads (a standby).
const UNAVAILABLE_CODES = /^(08...|53...|57...|58...|28...|3D000|55P03|25006)$/;

// It lacks our tables, columns, functions or schema, or keeps us from them: somebody put another database, or an older backup, in the
// place of ours.
const NOT_OURS = /^(42P01|42703|42883|42501|3F000)$/;

/** The errors of `pg` and its pool themselves, which have no code. */
const BROKEN_CONNECTION =
  /^(Connection terminated|timeout exceeded|Client (was closed|has encountered)|The server does not support SSL|Cannot use a pool after)/;

export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof pg.DatabaseError) return UNAVAILABLE_CODES.test(error.code ?? '');
  if (error instanceof NoAnswer || error instanceof StoreUnavailable) return true;
  // Errors of sockets, name lookup and TLS have codes of their own.
  return ('code' in error && typeof error.code === 'string') || BROKEN_CONNECTION.test(error.message);
}
