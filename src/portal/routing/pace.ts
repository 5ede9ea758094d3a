/** Bounds how often an account may ask for what costs several questions to the store. On this node, in memory. */
import type { Clock } from '../../core/seams/clock.ts';

const WINDOW_MS = 60_000;
/** Accounts that are remembered. */
const REMEMBERED = 1_000;

export class CarrierPace {
  readonly #most: number;
  readonly #clock: Pick<Clock, 'steady'>;
  /** `since` is steady time. */
  readonly #asked = new Map<string, { since: number; count: number }>();

  /** `most` in a minute. */
  constructor(clock: Pick<Clock, 'steady'>, most: number) {
    this.#most = most;
    this.#clock = clock;
  }

  /** How long to wait, in ms; undefined if it may be asked now. */
  take(accountId: string): number | undefined {
    const now = this.#clock.steady();
    const found = this.#asked.get(accountId);
    const current = found !== undefined && now - found.since < WINDOW_MS ? found : { since: now, count: 0 };
    if (current.count >= this.#most) return current.since + WINDOW_MS - now;
    current.count += 1;
    this.#asked.delete(accountId);
    this.#asked.set(accountId, current);
    const [oldest] = this.#asked.keys();
    if (this.#asked.size > REMEMBERED && oldest !== undefined) this.#asked.delete(oldest);
    return undefined;
  }
}
