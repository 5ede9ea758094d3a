/**
 * Runs `work` again and again until disposed of: first after `firstMs`, then each time as many ms after its end as it answers. `fail`
 * hears why it failed, and answers the pause. What fails when it is over says nothing: its parts may be closed.
 */
export function repeat(
  firstMs: number,
  work: () => Promise<number>,
  fail: (error: unknown) => number,
): Disposable {
  let timer: NodeJS.Timeout | undefined;
  const run = async () => {
    const pauseMs = await work().catch((error: unknown) => (timer === undefined ? 0 : fail(error)));
    if (timer !== undefined) timer = setTimeout(run, pauseMs);
  };
  timer = setTimeout(run, firstMs);
  return {
    [Symbol.dispose]() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
