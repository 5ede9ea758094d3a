/** The log: JSON lines on standard output, as containers and journals expect them. */
import { type LevelWithSilent, type Logger, type LoggerOptions, pino } from 'pino';
import { ErrorFacts } from '../core/errors/error-facts.ts';
import { Repetitions } from '../core/reporting/log-once-a-minute.ts';
import type { Clock } from '../core/seams/clock.ts';
import type { Log } from '../core/sending/carrier.ts';
import { createOutput } from './output.ts';
import { scrubFields, scrubText, serializeError } from './scrub.ts';

export interface ServiceLog {
  readonly logger: Logger;
  /** For parts that do not know the logger. */
  readonly note: Log;
  /**
   * A line at `info` whose fields hold nothing that must be taken out, written as text: each request has one, and pino takes four times
   * as long for it.
   */
  readonly plain: (fields: PlainFields, message: string) => void;
  /** Writes the collected lines. Later lines are written at once. */
  close(): void;
}

type PlainFields = Readonly<Record<string, string | number | undefined>>;

export interface LogOptions {
  readonly clock: Pick<Clock, 'wall' | 'steady'>;
  readonly fd?: number;
  /** What belongs into each line, besides its own fields. */
  readonly fields?: (() => object) | undefined;
}

/**
 * Lines are collected until they fill a page or half a second has passed, so that not every request costs a write. `close`,
 * the end of the process and a fatal line write them too; only a kill loses any.
 *
 * A failure that is reported again, such as that of background work while the store is away, is written once a minute with
 * `repeated`, the number of times since. That of a request is always written, because its `instance` leads to it.
 */
export function createLog(level: LevelWithSilent, { clock, fd = 1, fields }: LogOptions): ServiceLog {
  const output = createOutput(fd);
  const timestamp = createTimestamp(clock.wall);
  const logger = pino(
    {
      level,
      // Process id and host name are noise if one process runs in a container.
      base: null,
      timestamp,
      formatters: { level: (label) => ({ level: label }), log: (fields) => scrubFields(fields) },
      serializers: { err: serializeError, msg: scrubText },
      hooks: { logMethod: createHook(clock.steady) },
      ...(fields && { mixin: fields }),
    },
    output,
  );
  return {
    logger,
    note: (level, message, fields = {}) => logger[level](fields, message),
    plain: (own, message) => {
      if (!logger.isLevelEnabled('info')) return;
      const all = JSON.stringify({ ...fields?.(), ...own, msg: message });
      output.write(`{"level":"info"${timestamp()},${all.slice(1)}\n`);
    },
    close: output.close,
  };
}

type LogHook = NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>;

/** Keeps repeated failures back. All other lines pass as they are. */
function createHook(steady: Clock['steady']): LogHook {
  const repetitions = new Repetitions(steady);
  return function (args, method) {
    const fields: unknown = args[0];
    const failure = failureIn(fields);
    if (failure === undefined) return method.apply(this, args);
    const repeated = repetitions.next(`${args[1]} ${failure}`);
    if (repeated === undefined) return;
    method.apply(this, repeated === 0 ? args : [{ ...Object(fields), repeated }, args[1]]);
  };
}

/** What failed, if a line reports the failure of something that goes on. What it names besides, such as a webhook, is a part of it. */
function failureIn(fields: unknown): string | undefined {
  if (typeof fields !== 'object' || fields === null || !('error' in fields)) return undefined;
  const { error, verification: _, ...named }: { error: unknown; verification?: unknown } = fields;
  if (!(error instanceof ErrorFacts) || 'requestId' in named) return undefined;
  return `${error.kind} ${Object.values(named).filter((value) => typeof value === 'string')}`;
}

/** The time as a piece of JSON, as pino needs it. Under load many lines share a millisecond and its text. */
function createTimestamp(wall: Clock['wall']): () => string {
  let at = 0;
  let text = '';
  return () => {
    const now = wall();
    if (now !== at) {
      at = now;
      text = `,"time":"${new Date(now).toISOString()}"`;
    }
    return text;
  };
}
