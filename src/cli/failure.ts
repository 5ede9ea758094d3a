/** How commands end when they cannot do what was asked. */
import { ConfigError, describeProblem } from '../config/problem.ts';
import { StoreUnavailable } from '../core/errors.ts';
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
  if (error instanceof CommandFailure) return [error.message];
  if (error instanceof StoreUnavailable)
    return [`the store is unavailable: ${error.message || 'it cannot commit'}`];
  // The system's own errors (EADDRINUSE, EACCES ...) name the address or the path in their message.
  if (error instanceof Error && 'syscall' in error) return [error.message];
  return [JSON.stringify(serializeError(error))];
}
