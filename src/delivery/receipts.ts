/** Takes receipts: the store applies them to what they are about, and what came of it is counted. */
import type { Clock } from '../core/clock.ts';
import type { Receipt } from '../core/sending/carrier.ts';
import type { DeliveryQueue, ReceiptOutcome } from '../core/sending/delivery.ts';
import type { Funnel } from '../core/sending/funnel.ts';

interface ReceiptPorts {
  readonly clock: Pick<Clock, 'now'>;
  readonly queue: Pick<DeliveryQueue, 'receive'>;
  /** ISO 4217: prices in another currency are kept with theirs. */
  readonly currency: () => string;
  /** Hashes of a recipient under each secret, for the attempts that a receipt may be about. */
  readonly recipientTags: (address: string) => readonly string[];
  readonly funnel: Pick<Funnel, 'delivered' | 'undelivered'>;
}

/** Resolves with what became of the receipt when it is durable. */
export type Receive = (receipt: Receipt) => Promise<ReceiptOutcome['kind']>;

export function createReceive({ clock, queue, currency, recipientTags, funnel }: ReceiptPorts): Receive {
  return async ({ carrier, references, recipients = [], status, reason, price, network }) => {
    const outcome = await queue.receive({
      ...{ carrier, references, status },
      recipientTags: recipients.flatMap(recipientTags),
      reason: reason ?? null,
      at: clock.now(),
      price: price?.amount ?? null,
      currency: price === undefined || price.currency === currency() ? null : price.currency,
      network: network ?? null,
    });
    countReceipt(funnel, outcome);
    return outcome.kind;
  };
}

/** Only one that changed something counts: a carrier may send it again. */
export function countReceipt(funnel: ReceiptPorts['funnel'], outcome: ReceiptOutcome): void {
  if (outcome.kind !== 'applied') return;
  const { channel, country, carrier, latencyMs } = outcome;
  if (outcome.status === 'delivered') funnel.delivered(channel, country, carrier, latencyMs);
  else funnel.undelivered(channel, country, carrier);
}
