/** Tells of receipts that are of no use: to the metrics, to the log, and with the carrier's state to people. */

import { logOnceAMinute } from '../core/reporting/log-once-a-minute.ts';
import type { Clock, Timer } from '../core/seams/clock.ts';
import type { Receipt } from '../core/sending/carrier.ts';
import type { EarlyReceipts, ReceiptOutcome } from '../core/sending/delivery.ts';
import type { DeliveryMetrics } from '../core/sending/delivery-metrics.ts';
import type { NoteUnusable, ReceiptName, Unusable } from '../core/sending/unusable-receipts.ts';

export interface UnusableReceiptsDeps {
  readonly clock: Clock;
  readonly store: EarlyReceipts;
  readonly deliveryMetrics: Pick<DeliveryMetrics, 'unusable'>;
  readonly log: (level: 'warn', message: string, fields: Record<string, unknown>) => void;
}

/** A receipt may come before what it is about is written. After this time nothing is under way any more. */
const LOOK_AFTER_MS = 60_000;
/** Remembered at once, about 2 MB. If more come within a minute, the count is too low. */
const MOST = 10_000;
const LOOKED_AT_ONCE = 1_000;

/** Never what a receipt says: it may hold a number or a text. */
const MESSAGES: Readonly<Record<Unusable, string>> = {
  unreadable: 'a receipt cannot be read',
  unmatched: 'a receipt matches no message',
  forged: 'a callback does not prove that it comes from the carrier',
};

interface Early extends ReceiptName {
  /** Steady time. */
  readonly at: number;
}

export class UnusableReceipts {
  readonly #deps: UnusableReceiptsDeps;
  readonly #quietLog: UnusableReceiptsDeps['log'];
  #early: Early[] = [];
  #timer: Timer | undefined;
  #stopped = false;

  constructor(deps: UnusableReceiptsDeps) {
    this.#deps = deps;
    this.#quietLog = logOnceAMinute(
      (level: 'warn', message, fields = {}) => deps.log(level, message, fields),
      deps.clock.steady,
    );
  }

  readonly note: NoteUnusable = (carrier, why, count = 1) => {
    this.#deps.deliveryMetrics.unusable(carrier, why, count);
    this.#quietLog('warn', MESSAGES[why], { carrier });
  };

  /** Hands receipts on, and looks later whether those that came early have found their message. */
  watch(receive: (receipt: Receipt) => Promise<ReceiptOutcome['kind']>): (receipt: Receipt) => Promise<void> {
    return async (receipt) => {
      if ((await receive(receipt)) !== 'early' || this.#early.length >= MOST) return;
      const { carrier, references } = receipt;
      this.#early.push({ carrier, reference: references[0], at: this.#deps.clock.steady() });
      this.#lookLater();
    };
  }

  stop(): void {
    this.#stopped = true;
    this.#timer?.[Symbol.dispose]();
  }

  #lookLater(): void {
    if (this.#timer !== undefined || this.#stopped) return;
    this.#timer = this.#deps.clock.after(LOOK_AFTER_MS, () => void this.#look());
  }

  async #look(): Promise<void> {
    const due = this.#early.filter(({ at }) => this.#deps.clock.steady() - at >= LOOK_AFTER_MS);
    for (let from = 0; from < due.length; from += LOOKED_AT_ONCE) {
      const names = due.slice(from, from + LOOKED_AT_ONCE);
      // What the store cannot say now is asked again.
      const left = await this.#deps.store.stillEarly(names.map(nameOf)).catch(() => undefined);
      if (left === undefined) break;
      const looked = new Set(names);
      this.#early = this.#early.filter((each) => !looked.has(each));
      for (const [carrier, ofIt] of Map.groupBy(left, ({ carrier }) => carrier)) {
        this.note(carrier, 'unmatched', ofIt.length);
      }
    }
    this.#timer = undefined;
    if (this.#early.length > 0) this.#lookLater();
  }
}

function nameOf({ carrier, reference }: Early): ReceiptName {
  return { carrier, reference };
}
