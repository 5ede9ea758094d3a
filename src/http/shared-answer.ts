const FRESH_MS = 1_000;

/**
 * Asks once for all who ask at the same time, and gives the answer, or the failure, again for a second: what anybody
 * may ask must not cost more the more often it is asked.
 */
export function shareAnswer<T>(ask: () => Promise<T>): () => Promise<T> {
  let shared: Promise<T> | undefined;
  const forget = () => {
    shared = undefined;
  };
  return () => {
    if (shared === undefined) {
      shared = ask();
      const age = () => void setTimeout(forget, FRESH_MS).unref();
      shared.then(age, age);
    }
    return shared;
  };
}
