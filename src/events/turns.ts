/**
 * Whose message goes next: accounts take turns, and within one its endpoints, each from where the last turn ended. Otherwise whoever
 * comes first takes every place that becomes free.
 */
import type { Served } from './served.ts';

export class Turns {
  /** Who had a turn last is last, also of the endpoints of an account. */
  readonly #accounts = new Map<string, Set<Served>>();

  add(served: Served): void {
    const { accountId } = served.endpoint;
    const endpoints = this.#accounts.get(accountId) ?? new Set();
    this.#accounts.set(accountId, endpoints.add(served));
  }

  remove(served: Served): void {
    const { accountId } = served.endpoint;
    const endpoints = this.#accounts.get(accountId);
    endpoints?.delete(served);
    if (endpoints?.size === 0) this.#accounts.delete(accountId);
  }

  /** What the first takes that may; undefined if nobody may. */
  next<Taken>(take: (served: Served) => Taken | undefined): Taken | undefined {
    for (const [accountId, endpoints] of this.#accounts) {
      for (const served of endpoints) {
        const taken = take(served);
        if (taken === undefined) continue;
        endpoints.delete(served);
        endpoints.add(served);
        this.#accounts.delete(accountId);
        this.#accounts.set(accountId, endpoints);
        return taken;
      }
    }
    return undefined;
  }
}
