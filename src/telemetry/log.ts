/** The log: JSON lines on standard output, as containers and journals expect them. */
import { type Logger, pino } from 'pino';
import { createOutput } from './output.ts';
import { scrubFields, scrubText, serializeError } from './scrub.ts';

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';

export interface Log {
  readonly logger: Logger;
  /** For parts that know nothing of the logger. */
  readonly note: (
    level: 'info' | 'warn' | 'error',
    message: string,
    fields?: Record<string, unknown>,
  ) => void;
  /** Writes what has gathered. Later lines are written at once. */
  close(): void;
}

/**
 * Lines gather until they fill a page or half a second has passed, so that a request costs no write of its own. They are
 * written at the latest by `close`, at the end of the process or by a fatal line; only a kill loses any.
 */
export function createLog(level: LogLevel, fd = 1): Log {
  const output = createOutput(fd);
  const logger = pino(
    {
      level,
      // The process' id and the host's name are noise where one process runs in a container.
      base: null,
      timestamp: createTimestamp(),
      formatters: { level: (label) => ({ level: label }), log: (fields) => scrubFields(fields) },
      serializers: { err: serializeError, msg: scrubText },
    },
    output,
  );
  return {
    logger,
    note: (level, message, fields = {}) => logger[level](fields, message),
    close: output.close,
  };
}

/** The time as pino wants it: a piece of JSON. Under load many lines share a millisecond, and the text of it. */
function createTimestamp(): () => string {
  let at = 0;
  let text = '';
  return () => {
    const now = Date.now();
    if (now !== at) {
      at = now;
      text = `,"time":"${new Date(now).toISOString()}"`;
    }
    return text;
  };
}
