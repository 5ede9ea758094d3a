/** The plain limits per destination and key, exact in every window as the stores hold them, for traffic that was recorded. */
import type { Limit } from '../../core/verification/limits.ts';

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

/** When a subject last counted: one time, or several in order. Most subjects count once, and a list takes ten times as much. */
type Times = number | number[];

/** The times of what counted, as far back as the longest window. */
class Windows {
  readonly #limits: readonly Limit[];
  readonly #longest: number;
  readonly #most: number;
  /** Of this longest window and of the one before: what is in neither counts no more. */
  #recent = new Map<string, Times>();
  #earlier = new Map<string, Times>();
  #since = 0;

  constructor(limits: readonly Limit[]) {
    this.#limits = limits;
    this.#longest = Math.max(0, ...limits.map(({ windowMs }) => windowMs));
    this.#most = Math.max(0, ...limits.map(({ max }) => max));
  }

  take(subject: string, now: number): boolean {
    if (this.#limits.length === 0) return true;
    if (now - this.#since >= this.#longest) {
      this.#earlier = now - this.#since >= 2 * this.#longest ? new Map() : this.#recent;
      this.#recent = new Map();
      this.#since = now;
    }
    const times = this.#recent.get(subject) ?? this.#earlier.get(subject);
    if (times === undefined) {
      this.#recent.set(subject, now);
      return true;
    }
    const list = typeof times === 'number' ? [times] : times;
    for (const { max, windowMs } of this.#limits) {
      const oldest = list[list.length - max];
      if (oldest !== undefined && oldest > now - windowMs) return false;
    }
    list.push(now);
    if (list.length > 2 * this.#most) list.splice(0, list.length - this.#most);
    this.#recent.set(subject, list);
    return true;
  }
}
