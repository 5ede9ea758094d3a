/** Counts what happened in the last hour, to the minute. */
import { addUp, type Unusable, type UnusableCounts } from '../core/sending/unusable-receipts.ts';

const MINUTE_MS = 60_000;
const MINUTES = 60;

export class HourCount {
  /** By the minute of steady time. */
  readonly #minutes = new Map<number, UnusableCounts>();

  add(why: Unusable, count: number, now: number): void {
    const minute = Math.floor(now / MINUTE_MS);
    this.#minutes.set(minute, addUp([this.#minutes.get(minute) ?? {}, { [why]: count }]));
  }

  /** Undefined if there was nothing. */
  read(now: number): UnusableCounts | undefined {
    const since = Math.floor(now / MINUTE_MS) - MINUTES;
    for (const minute of this.#minutes.keys()) if (minute <= since) this.#minutes.delete(minute);
    return this.#minutes.size === 0 ? undefined : addUp([...this.#minutes.values()]);
  }
}
