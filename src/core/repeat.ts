/** Runs `work` again and again until disposed of: first after `firstMs`, then each time as many ms after its end as it answers. */
export function repeat(firstMs: number, work: () => Promise<number>): Disposable {
  let timer: NodeJS.Timeout | undefined;
  const run = async () => {
    const pauseMs = await work();
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
