/** Keeps what would be said again and again from filling the log. */

type Log<Level, Fields> = (level: Level, message: string, fields?: Fields) => void;

const QUIET_MS = 60_000;
/** What was said that is remembered. Past this number something may be said again early. */
const MOST = 1_000;

/** Lets each thing be said once a minute, and counts how often it was not. */
export class Repetitions {
  readonly #now: () => number;
  readonly #said = new Map<string, { readonly until: number; kept: number }>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** How often it was kept back since it was last said; undefined if it is to be kept back now. */
  next(what: string): number | undefined {
    const at = this.#now();
    const said = this.#said.get(what);
    if (said !== undefined && at < said.until) {
      said.kept += 1;
      return undefined;
    }
    if (this.#said.size >= MOST) this.#said.clear();
    this.#said.set(what, { until: at + QUIET_MS, kept: 0 });
    return said?.kept ?? 0;
  }
}

/** Lets the same message about the same carrier through once a minute. */
export function logOnceAMinute<Level, Fields extends Record<string, unknown>>(
  log: Log<Level, Fields>,
  now: () => number,
): Log<Level, Fields> {
  const repetitions = new Repetitions(now);
  return (level, message, fields) => {
    const kept = repetitions.next(`${fields?.carrier ?? ''} ${message}`);
    if (kept !== undefined) log(level, message, fields);
  };
}
