/**
 * How fast one link may submit. Unlimited until the SMSC says that it is too fast. Then half of that rate, rising
 * steadily: back to the same rate after `RECOVERY_MS`, and unlimited again after `FREE_MS`. A smaller window would not
 * be enough: a nearby SMSC still gets thousands a second with one message under way.
 */
const RECOVERY_MS = 10_000;
const FREE_MS = 60_000;
/** Refusals of messages that were already under way are ignored. */
const DEAF_MS = 1_000;
/** A link that sends little was not refused because of its rate. */
const LEAST_FIRST_RATE = 100;
const LEAST_RATE = 1;

export class SubmitPace {
  #cutRate = Number.POSITIVE_INFINITY;
  #cutAt = Number.NEGATIVE_INFINITY;
  #next = 0;
  #countedSince = 0;
  #count = 0;
  #lastRate = 0;

  /** Ms until the next submit_sm may go; times are ms of one monotonic clock. */
  wait(now: number): number {
    return Math.max(0, this.#next - now);
  }

  /** One submit_sm goes. */
  take(now: number): void {
    if (now - this.#countedSince >= 1_000) {
      this.#lastRate = (this.#count * 1_000) / (now - this.#countedSince);
      this.#countedSince = now;
      this.#count = 0;
    }
    this.#count += 1;
    const rate = this.rate(now);
    this.#next = rate === Number.POSITIVE_INFINITY ? 0 : Math.max(now, this.#next) + 1_000 / rate;
  }

  /** The SMSC said that the link is too fast. */
  slow(now: number): void {
    if (now - this.#cutAt < DEAF_MS) return;
    const limited = this.rate(now);
    const refused =
      limited === Number.POSITIVE_INFINITY
        ? Math.max(this.#lastRate, this.#count, LEAST_FIRST_RATE)
        : limited;
    this.#cutRate = Math.max(LEAST_RATE, refused / 2);
    this.#cutAt = now;
    this.#next = now + 1_000 / this.#cutRate;
  }

  /** Submits a second. */
  rate(now: number): number {
    const elapsed = now - this.#cutAt;
    return elapsed < FREE_MS ? this.#cutRate * (1 + elapsed / RECOVERY_MS) : Number.POSITIVE_INFINITY;
  }
}
