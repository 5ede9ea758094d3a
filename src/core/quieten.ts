/** Keeps what would be said again and again from filling the log. */

type Log<Level, Fields> = (level: Level, message: string, fields?: Fields) => void;

const QUIET_MS = 60_000;
/** Messages remembered. Past this number one may be logged again early. */
const MOST = 1_000;

/** Lets the same message about the same carrier through once a minute. */
export function quieten<Level, Fields extends Record<string, unknown>>(
  log: Log<Level, Fields>,
  now: () => number = () => performance.now(),
): Log<Level, Fields> {
  const quietUntil = new Map<string, number>();
  return (level, message, fields) => {
    const at = now();
    const said = `${fields?.carrier ?? ''} ${message}`;
    if (at < (quietUntil.get(said) ?? 0)) return;
    if (quietUntil.size >= MOST) quietUntil.clear();
    quietUntil.set(said, at + QUIET_MS);
    log(level, message, fields);
  };
}
