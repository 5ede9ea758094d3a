import type { Clock, Timer } from './clock.ts';

/**
 * Runs `work` again and again until disposed of: first after `firstMs`, then each time as many ms after its end as it answers. `fail`
 * hears why it failed, and answers the pause. What fails when it is over says nothing: its parts may be closed.
 */
export function repeat(
  clock: Pick<Clock, 'after'>,
  firstMs: number,
  work: () => Promise<number>,
  fail: (error: unknown) => number,
): Disposable {
  let timer: Timer | undefined;
  const run = async () => {
    const pauseMs = await work().catch((error: unknown) => (timer === undefined ? 0 : fail(error)));
    if (timer !== undefined) timer = clock.after(pauseMs, run);
  };
  timer = clock.after(firstMs, run);
  return {
    [Symbol.dispose]() {
      timer?.[Symbol.dispose]();
      timer = undefined;
    },
  };
}
