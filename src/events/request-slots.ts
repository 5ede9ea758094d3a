/**
 * Places of requests under way. Slow endpoints hold theirs for long, so the last eighth is for accounts that have nothing under
 * way, and the eighth before it for endpoints that have not. Those that fail get at most half of all, and one each.
 */
import type { LeasedEndpoint } from './leased-endpoint.ts';

export class RequestSlots {
  readonly #atOnce: number;
  readonly #kept: number;
  readonly #ofAccount = new Map<string, number>();
  #taken = 0;
  #failing = 0;

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
    this.#kept = Math.floor(atOnce / 8);
  }

  get taken(): number {
    return this.#taken;
  }

  /** `perEndpoint`: how many one endpoint may have. */
  hasOneFor({ pending, failing, endpoint }: LeasedEndpoint, perEndpoint: number): boolean {
    if (this.#taken >= this.#limitOf(endpoint.accountId, pending.underWay)) return false;
    if (!failing) return pending.underWay < perEndpoint;
    return pending.underWay === 0 && this.#failing < Math.max(1, Math.floor(this.#atOnce / 2));
  }

  /** Answers how to give it back. */
  take({ failing, endpoint: { accountId } }: LeasedEndpoint): () => void {
    const add = (count: number) => {
      this.#taken += count;
      if (failing) this.#failing += count;
      const ofAccount = (this.#ofAccount.get(accountId) ?? 0) + count;
      if (ofAccount === 0) this.#ofAccount.delete(accountId);
      else this.#ofAccount.set(accountId, ofAccount);
    };
    add(1);
    return () => add(-1);
  }

  #limitOf(accountId: string, underWay: number): number {
    if (!this.#ofAccount.has(accountId)) return this.#atOnce;
    return this.#atOnce - (underWay === 0 ? this.#kept : 2 * this.#kept);
  }
}
