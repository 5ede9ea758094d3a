/** Runs one command of the command line. What goes wrong is said on standard error, and by the exit code of the process. */
import { CommanderError } from 'commander';
import { describeFailure, EXIT_FAILURE, EXIT_USAGE } from './failure.ts';
import { createProgram } from './program.ts';

/** `args` are what follows `countersign`. */
export async function runCommand(args: readonly string[]): Promise<void> {
  try {
    await createProgram().parseAsync(args, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) {
      // Commander has already printed it. It treats help as an error with code 0.
      process.exitCode = error.exitCode === 0 ? 0 : EXIT_USAGE;
    } else {
      for (const line of describeFailure(error)) console.error(`countersign: ${line}`);
      process.exitCode = EXIT_FAILURE;
    }
  }
}
