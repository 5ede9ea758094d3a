/** Counts what happened in the last hour, to the minute. */
import { MINUTE_MS } from '../core/seams/spans.ts';
import { sumUnusable, type Unusable, type UnusableCounts } from '../core/sending/unusable-receipts.ts';

const MINUTES = 60;

export class HourCount {
  /** By the minute of steady time. */
  readonly #minutes = new Map<number, UnusableCounts>();

  add(why: Unusable, count: number, now: number): void {
    const minute = Math.floor(now / MINUTE_MS);
    this.#minutes.set(minute, sumUnusable([this.#minutes.get(minute) ?? {}, { [why]: count }]));
  }

  /** Undefined if there was nothing. */
  read(now: number): UnusableCounts | undefined {
    const since = Math.floor(now / MINUTE_MS) - MINUTES;
    for (const minute of this.#minutes.keys()) if (minute <= since) this.#minutes.delete(minute);
    return this.#minutes.size === 0 ? undefined : sumUnusable([...this.#minutes.values()]);
  }
}
