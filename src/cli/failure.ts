/** How commands end when they cannot do what was asked. */
import { ConfigError, describeProblem } from '../config/problem.ts';
import { OutcomeUnknown, StoreDamaged, StoreUnavailable, StoreUnusable } from '../core/errors.ts';
import { serializeError } from '../telemetry/scrub.ts';

export const EXIT_FAILURE = 1;
export const EXIT_USAGE = 2;

/** An expected failure, whose message says what is wrong and what to do. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
}

/** What standard error says of a failure: a line for each thing that the user can put right, a stack only for a bug. */
export function describeFailure(error: unknown): string[] {
  if (error instanceof ConfigError) return error.problems.map(describeProblem);
  if (error instanceof CommandFailure || error instanceof StoreUnusable || error instanceof StoreDamaged)
    return [error.message];
  if (error instanceof StoreUnavailable)
    return [`the store is unavailable: ${error.message || 'it cannot commit'}`];
  if (error instanceof OutcomeUnknown)
    return [`the store broke off, and it is unknown whether that was done: ${error.message}`];
  // The system's own errors (EADDRINUSE, EACCES ...) name the address or the path in their message.
  if (error instanceof Error && 'syscall' in error) return [`${error.message}${adviceOn(error)}`];
  return [JSON.stringify(serializeError(error))];
}

/** What to do about the system's own errors, by their code; `listen` is about a port, all others are about a path. */
const ADVICE: Readonly<Record<string, string>> = {
  EADDRINUSE: 'stop what listens there, or set another port',
  'listen EACCES': 'let this user open ports under 1024, or set another port',
  EROFS: 'make the disk writable, or set another folder',
  EACCES: 'let this user in, or set another path',
  EPERM: 'let this user in, or set another path',
  ENOENT: 'make it, or set another path',
  EEXIST: 'move it away, or set another path',
  ENOSPC: 'make room on the disk, or set another folder',
};

function adviceOn(error: Error & { readonly syscall?: unknown; readonly code?: unknown }): string {
  const advice = ADVICE[`${error.syscall} ${error.code}`] ?? ADVICE[String(error.code)];
  return advice === undefined ? '' : `; ${advice}`;
}
