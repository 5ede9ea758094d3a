/**
 * Values that are there already, or will be. In a delivery that waits for nothing a promise costs as much as everything
 * else: the simulator answers at once, and most gates are free. So the next step runs at once if it can.
 */
export type MaybePromise<T> = T | Promise<T>;

/** Continues with the value, or with `fail`, if given, when a promise rejects. */
export function andThen<T, R>(
  value: MaybePromise<T>,
  next: (value: T) => MaybePromise<R>,
  fail?: (error: unknown) => MaybePromise<R>,
): MaybePromise<R> {
  return value instanceof Promise ? value.then(next, fail) : next(value);
}

/** Applies `watch` to a promise; a value that is there needs nothing. */
export function whileAwaited<T>(
  value: MaybePromise<T>,
  watch: (late: Promise<T>) => Promise<T>,
): MaybePromise<T> {
  return value instanceof Promise ? watch(value) : value;
}

/** Runs `end` at the end, even if a promise rejects. `finally` would make three promises. */
export function lastly<T>(value: MaybePromise<T>, end: () => void): MaybePromise<T> {
  const pass = (come: T) => {
    end();
    return come;
  };
  return andThen(value, pass, (error) => {
    end();
    throw error;
  });
}
