/** The log: JSON lines on standard output, as containers and journals expect them. */
import { type LevelWithSilent, type Logger, pino } from 'pino';
import type { CarrierLog } from '../core/sending/carrier.ts';
import { createOutput } from './output.ts';
import { scrubFields, scrubText, serializeError } from './scrub.ts';

export interface Log {
  readonly logger: Logger;
  /** For parts that do not know the logger. */
  readonly note: CarrierLog;
  /** Writes the collected lines. Later lines are written at once. */
  close(): void;
}

interface LogOptions {
  readonly fd?: number;
  /** What belongs into each line, besides its own fields. */
  readonly fields?: (() => object) | undefined;
}

/**
 * Lines are collected until they fill a page or half a second has passed, so that not every request costs a write. `close`,
 * the end of the process and a fatal line write them too; only a kill loses any.
 */
export function createLog(level: LevelWithSilent, { fd = 1, fields }: LogOptions = {}): Log {
  const output = createOutput(fd);
  const logger = pino(
    {
      level,
      // Process id and host name are noise if one process runs in a container.
      base: null,
      timestamp: createTimestamp(),
      formatters: { level: (label) => ({ level: label }), log: (fields) => scrubFields(fields) },
      serializers: { err: serializeError, msg: scrubText },
      ...(fields && { mixin: fields }),
    },
    output,
  );
  return {
    logger,
    note: (level, message, fields = {}) => logger[level](fields, message),
    close: output.close,
  };
}

/** The time as a piece of JSON, as pino needs it. Under load many lines share a millisecond and its text. */
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
