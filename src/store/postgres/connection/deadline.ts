/** Settles as `work` does, unless the deadline (by `performance.now()`) comes first: then it rejects with `late`. */
export async function inTime<T>(work: Promise<T>, deadline: number, late: Error): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(late), Math.max(1, deadline - performance.now()));
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
