/** The plain limits per destination and key, exact in every window as the stores hold them, for traffic that was recorded. */
import type { Limit } from '../core/verification/limits.ts';

export interface PlainLimits {
  readonly sendsPerDestination: readonly Limit[];
  readonly requestsPerKey: readonly Limit[];
}

export type LimitRefusal = 'limit:destination' | 'limit:key';

export class PlainLimitCounts {
  readonly #sends: Windows;
  readonly #requests: Windows;

  constructor({ sendsPerDestination, requestsPerKey }: PlainLimits) {
    this.#sends = new Windows(sendsPerDestination);
    this.#requests = new Windows(requestsPerKey);
  }

  /** Takes a place in every window, or says which limit has none. As in the service, a request counts for its key first. */
  take(key: string, account: string, number: string, now: number): LimitRefusal | undefined {
    if (!this.#requests.take(key, now)) return 'limit:key';
    return this.#sends.take(`${account} ${number}`, now) ? undefined : 'limit:destination';
  }
}

/** The times of what counted, of each subject, as far back as the longest window. */
class Windows {
  readonly #limits: readonly Limit[];
  readonly #longest: number;
  readonly #most: number;
  readonly #times = new Map<string, number[]>();
  #sweptAt = 0;

  constructor(limits: readonly Limit[]) {
    this.#limits = limits;
    this.#longest = Math.max(0, ...limits.map(({ windowMs }) => windowMs));
    this.#most = Math.max(0, ...limits.map(({ max }) => max));
  }

  take(subject: string, now: number): boolean {
    if (this.#limits.length === 0) return true;
    this.#sweep(now);
    let times = this.#times.get(subject);
    if (times === undefined) {
      times = [];
      this.#times.set(subject, times);
    }
    for (const { max, windowMs } of this.#limits) {
      const oldest = times[times.length - max];
      if (oldest !== undefined && oldest > now - windowMs) return false;
    }
    times.push(now);
    if (times.length > 2 * this.#most) times.splice(0, times.length - this.#most);
    return true;
  }

  /** Forgets subjects of which nothing counts any more; each is looked at once in the longest window. */
  #sweep(now: number): void {
    if (now - this.#sweptAt < this.#longest) return;
    this.#sweptAt = now;
    for (const [subject, times] of this.#times) {
      if ((times.at(-1) ?? 0) <= now - this.#longest) this.#times.delete(subject);
    }
  }
}
