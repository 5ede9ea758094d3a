import type { Clock } from '../../../core/seams/clock.ts';

/** Settles as `work` does, unless the deadline (in steady time) comes first: then it rejects with `late`. */
export async function inTime<T>(clock: Clock, work: Promise<T>, deadline: number, late: Error): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  using _ = clock.after(Math.max(1, deadline - clock.steady()), () => reject(late));
  return await Promise.race([work, promise]);
}
