/**
 * Time as this process has had it. A machine that tests share stands still now and then, or lets each of its processes run
 * only in turn: what is promised within seconds is then kept at that pace, in the service as well as here.
 */
const STEP_MS = 10;
/** What a step may take on a machine that is only busy. */
const MOST_MS = 40;

export interface Stopwatch {
  /** In ms, since it was started. */
  read(): number;
}

export function startStopwatch(): Stopwatch {
  let last = performance.now();
  let counted = 0;
  const step = () => {
    const now = performance.now();
    counted += Math.min(now - last, MOST_MS);
    last = now;
  };
  setInterval(step, STEP_MS).unref();
  return {
    read() {
      step();
      return counted;
    },
  };
}
