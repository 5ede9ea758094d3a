/** Takes receipts: the store applies them to what they are about, and what came of it is counted. */
import type { Clock } from '../core/seams/clock.ts';
import type { Receipt } from '../core/sending/carrier.ts';
import type { DeliveryQueue, ReceiptOutcome } from '../core/sending/delivery.ts';
import type { DeliveryMetrics } from '../core/sending/delivery-metrics.ts';

interface ReceiptPorts {
  readonly clock: Pick<Clock, 'now'>;
  readonly queue: Pick<DeliveryQueue, 'receive'>;
  /** ISO 4217: prices in another currency are kept with theirs. */
  readonly currency: () => string;
  /** Hashes of a recipient under each secret, for the attempts that a receipt may be about. */
  readonly recipientTags: (address: string) => readonly string[];
  readonly deliveryMetrics: Pick<DeliveryMetrics, 'delivered' | 'undelivered'>;
}

/** Resolves with what became of the receipt when it is durable. */
export type Receive = (receipt: Receipt) => Promise<ReceiptOutcome['kind']>;

export function createReceive({
  clock,
  queue,
  currency,
  recipientTags,
  deliveryMetrics,
}: ReceiptPorts): Receive {
  return async ({ carrier, references, recipients = [], status, reason, price, network }) => {
    const outcome = await queue.receive({
      ...{ carrier, references, status },
      recipientTags: recipients.flatMap(recipientTags),
      reason: reason ?? null,
      at: clock.now(),
      price: price?.amount ?? null,
      // What costs nothing does so in every currency.
      currency: !price?.amount || price.currency === currency() ? null : price.currency,
      network: network ?? null,
    });
    countReceipt(deliveryMetrics, outcome);
    return outcome.kind;
  };
}

/** Only one that changed something counts: a carrier may send it again. */
export function countReceipt(
  deliveryMetrics: ReceiptPorts['deliveryMetrics'],
  outcome: ReceiptOutcome,
): void {
  if (outcome.kind !== 'applied') return;
  const { channel, country, carrier, latencyMs } = outcome;
  if (outcome.status === 'delivered') deliveryMetrics.delivered(channel, country, carrier, latencyMs);
  else deliveryMetrics.undelivered(channel, country, carrier);
}
