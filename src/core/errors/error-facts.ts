/**
 * What may be logged about an unexpected error: its kind and where it came from, but nothing from a request. A message may
 * contain input. Those of the system, of the two databases and of a store that is away do not, and say what an operator needs.
 */
import { StoreFailure } from './store-failure.ts';

/** The most causes to follow, because a chain may contain itself. */
const DEPTH = 4;

/** Created only here: its class tells the log that its fields, including `code`, are safe. */
export class ErrorFacts {
  readonly name: string;
  /** From the system (`ENOSPC`), from Node (`ERR_TLS_...`), or a SQLSTATE (`53100`). */
  readonly code: string | undefined;
  /** The system's number, or a result code of SQLite (https://www.sqlite.org/rescode.html). */
  readonly errno: number | undefined;
  readonly message: string | undefined;
  /** The frames, without the message at the top of the stack. */
  readonly stack: string | undefined;
  readonly cause: ErrorFacts | undefined;

  constructor(error: Error, depth = DEPTH) {
    const { code, errno, errcode } = numbersOf(error);
    this.name = error.name;
    this.code = typeof code === 'string' ? code : undefined;
    this.errno = [errno, errcode].find((number) => typeof number === 'number');
    this.message = isTellable(error) ? clean(error.message) : undefined;
    this.stack = framesOf(error);
    this.cause =
      error.cause instanceof Error && depth > 1 ? new ErrorFacts(error.cause, depth - 1) : undefined;
  }

  /** The same for the same failure, wherever it came from. */
  get kind(): string {
    const { name, code, errno, message, cause } = this;
    return [name, code, errno, message, cause?.kind].join(' ');
  }
}

export function describeError(error: unknown): ErrorFacts | { readonly name: string } {
  return error instanceof Error ? new ErrorFacts(error) : { name: typeof error };
}

interface Numbers {
  readonly code?: unknown;
  readonly errno?: unknown;
  readonly errcode?: unknown;
}

const numbersOf = (error: object): Numbers => error;

/**
 * `syscall` marks errors of the system, `errcode` of SQLite, and `severity` of PostgreSQL, which has values only in
 * `detail` and `where`. A store that is away says why in our words or those of its driver, which may be told nowhere else.
 */
function isTellable(error: Error): boolean {
  if (error instanceof StoreFailure) return true;
  if ('syscall' in error || 'errcode' in error) return true;
  // Class 22, data exception, quotes the value: invalid input syntax for type uuid: "...".
  return 'severity' in error && 'code' in error && !String(error.code).startsWith('22');
}

/** As a precaution, removes telephone numbers, codes of six digits and keys. */
function clean(message: string): string {
  return message.replace(/\d{6,}/g, '[number]').replace(/csk_(live|test)_\w+/g, 'csk_$1_[redacted]');
}

function framesOf({ stack, message }: Error): string | undefined {
  // The message may have lines that look like frames.
  const from = stack?.indexOf(message) ?? -1;
  const frames = from === -1 ? stack : stack?.slice(from + message.length);
  return frames
    ?.split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n');
}
