/**
 * What may be told of an unexpected error: which it was and where it came from, and nothing that a request brought. A
 * message may hold input; those of the system and of the two databases are known not to, and say what an operator needs.
 */

/** No further down a chain of causes: one that holds itself must end. */
const DEPTH = 4;

/** Only made here: by its class the log knows that its fields, `code` among them, are safe. */
export class ErrorFacts {
  readonly name: string;
  /** Of the system (`ENOSPC`), of Node (`ERR_TLS_...`), or a SQLSTATE (`53100`). */
  readonly code: string | undefined;
  /** The system's number, or a result code of SQLite (https://www.sqlite.org/rescode.html). */
  readonly errno: number | undefined;
  readonly message: string | undefined;
  /** The frames; the message that stands at the head of a stack is left out. */
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
 * `syscall` is the system's, `errcode` SQLite's, `severity` PostgreSQL's, whose values stand in `detail` and `where`. One of
 * our own, StoreUnavailable among them, is told by its name and its cause.
 */
function isTellable(error: Error): boolean {
  if ('syscall' in error || 'errcode' in error) return true;
  // A class 22, data exception, quotes the value: invalid input syntax for type uuid: "...".
  return 'severity' in error && 'code' in error && !String(error.code).startsWith('22');
}

/** Seen to once more: no number of a telephone, no code of six digits, no key. */
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
