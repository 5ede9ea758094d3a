/**
 * Whose message goes next: accounts take turns, and within one its endpoints, each from where the last turn ended. Otherwise whoever
 * comes first takes every place that becomes free.
 */
import type { LeasedEndpoint } from './leased-endpoint.ts';

export class RoundRobin {
  /** Who had a turn last is last, also of the endpoints of an account. */
  readonly #accounts = new Map<string, Set<LeasedEndpoint>>();

  add(leased: LeasedEndpoint): void {
    const { accountId } = leased.endpoint;
    const endpoints = this.#accounts.get(accountId) ?? new Set();
    this.#accounts.set(accountId, endpoints.add(leased));
  }

  remove(leased: LeasedEndpoint): void {
    const { accountId } = leased.endpoint;
    const endpoints = this.#accounts.get(accountId);
    endpoints?.delete(leased);
    if (endpoints?.size === 0) this.#accounts.delete(accountId);
  }

  /** What the first takes that may; undefined if nobody may. */
  next<Taken>(take: (leased: LeasedEndpoint) => Taken | undefined): Taken | undefined {
    for (const [accountId, endpoints] of this.#accounts) {
      for (const leased of endpoints) {
        const taken = take(leased);
        if (taken === undefined) continue;
        endpoints.delete(leased);
        endpoints.add(leased);
        this.#accounts.delete(accountId);
        this.#accounts.set(accountId, endpoints);
        return taken;
      }
    }
    return undefined;
  }
}
