/** The log: JSON lines on standard output, as containers and journals expect them. */
import { destination, type Logger, pino, stdTimeFunctions } from 'pino';
import { scrubFields, scrubText, serializeError } from './scrub.ts';

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';

export interface Log {
  readonly logger: Logger;
  /** Writes what is buffered and ends the periodic flush. The logger still works, unbuffered lines following at exit. */
  close(): void;
}

const BUFFER_BYTES = 4_096;
const FLUSH_MS = 500;

/**
 * Lines gather until they fill a page or half a second has passed, so that a request costs no write of its own. They are
 * written at the latest by `close`, at the end of the process or by a fatal line; only a kill loses any.
 */
export function createLog(level: LogLevel, fd = 1): Log {
  const output = destination({ fd, sync: false, minLength: BUFFER_BYTES });
  const logger = pino(
    {
      level,
      // The process' id and the host's name are noise where one process runs in a container.
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: (fields) => scrubFields(fields) },
      serializers: { err: serializeError, msg: scrubText },
    },
    output,
  );
  const timer = setInterval(() => output.flush(), FLUSH_MS);
  timer.unref();
  return {
    logger,
    close: () => {
      clearInterval(timer);
      output.flushSync();
    },
  };
}
