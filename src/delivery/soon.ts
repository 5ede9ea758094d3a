/**
 * Values that are there already, or will be. A promise costs as much as all the rest of a delivery that waits for nothing:
 * the simulator answers at once, and most gates are free. So what comes after is done at once wherever it can be.
 */
export type Soon<T> = T | Promise<T>;

/** Goes on with the value; with `fail`, if it is given, where a promise is broken. */
export function andThen<T, R>(
  value: Soon<T>,
  next: (value: T) => Soon<R>,
  fail?: (error: unknown) => Soon<R>,
): Soon<R> {
  return value instanceof Promise ? value.then(next, fail) : next(value);
}

/** Has a promise looked after while it is waited for; a value that is there needs nothing. */
export function whileAwaited<T>(value: Soon<T>, watch: (late: Promise<T>) => Promise<T>): Soon<T> {
  return value instanceof Promise ? watch(value) : value;
}

/** Does the last of it, whatever has come of a promise. `finally` would make three promises of it. */
export function lastly<T>(value: Soon<T>, end: () => void): Soon<T> {
  const pass = (come: T) => {
    end();
    return come;
  };
  return andThen(value, pass, (error) => {
    end();
    throw error;
  });
}
