/** How commands fail. */
import { ConfigError, describeProblem } from '../config/problem.ts';
import {
  OutcomeUnknown,
  StoreDamaged,
  StoreUnavailable,
  StoreUnusable,
} from '../core/errors/store-failure.ts';
import { serializeError } from '../telemetry/scrub.ts';

export const EXIT_FAILURE = 1;
export const EXIT_USAGE = 2;

/** An expected failure. Its message says what is wrong and what to do. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
}

/** What standard error says about a failure: a line for each problem that the user can fix; a stack only for a bug. */
export function describeFailure(error: unknown): string[] {
  if (error instanceof ConfigError) return error.problems.map(describeProblem);
  if (error instanceof CommandFailure || error instanceof StoreUnusable || error instanceof StoreDamaged)
    return [error.message];
  if (error instanceof StoreUnavailable)
    return [`the store is unavailable: ${error.message || 'it cannot commit'}`];
  if (error instanceof OutcomeUnknown)
    return [
      `the connection to the store was lost; the command may or may not have taken effect: ${error.message}`,
    ];
  // The system's own errors (EADDRINUSE, EACCES ...) name the address or the path in their message.
  if (error instanceof Error && 'syscall' in error) return [`${error.message}${adviceOn(error)}`];
  return [JSON.stringify(serializeError(error))];
}

/** What to do about the system's own errors, by their code. `listen` is about a port, all others are about a path. */
const ADVICE: Readonly<Record<string, string>> = {
  EADDRINUSE: 'stop the program that uses the port, or set another port',
  'listen EACCES': 'allow this user to open ports below 1024, or set another port',
  EROFS: 'make the disk writable, or set another folder',
  EACCES: 'give this user access, or set another path',
  EPERM: 'give this user access, or set another path',
  ENOENT: 'create it, or set another path',
  EEXIST: 'move it away, or set another path',
  ENOSPC: 'free some disk space, or set another folder',
};

function adviceOn(error: Error & { readonly syscall?: unknown; readonly code?: unknown }): string {
  const advice = ADVICE[`${error.syscall} ${error.code}`] ?? ADVICE[String(error.code)];
  return advice === undefined ? '' : `; ${advice}`;
}
