/** Finds the spans of messages that come back to this node: claimed ones, and those that a receipt is about. */
import type { DeliveryQueue, ReceiptOutcome } from '../core/sending/delivery.ts';
import { presentReason } from '../delivery/reason.ts';
import type { SpanContext } from './context.ts';
import type { Journeys } from './journeys.ts';
import { type Links, nameOfReference } from './links.ts';
import { KIND, type Tracer } from './span.ts';

interface Parts {
  readonly tracer: Tracer;
  readonly journeys: Journeys;
  readonly links: Links;
}

interface Heard {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly reason?: string | null;
}

export function traceQueue(queue: DeliveryQueue, { tracer, journeys, links }: Parts): DeliveryQueue {
  /** A receipt is heard in a trace of its own, and linked to what it is about. */
  function tell(outcome: ReceiptOutcome, about: SpanContext | undefined, heard: Heard): void {
    if (outcome.kind !== 'applied' || about === undefined) return;
    const { startedAt, endedAt, reason = null } = heard;
    const attributes = {
      'messaging.system': 'countersign',
      'messaging.destination.name': outcome.carrier,
      'messaging.operation.name': 'receipt',
      'messaging.operation.type': 'process',
      'countersign.channel': outcome.channel,
      'countersign.country': outcome.country,
      'countersign.outcome': outcome.status,
      'countersign.reason': reason === null ? undefined : presentReason(reason),
      'countersign.requeued': outcome.requeued,
    };
    tracer.follow({ name: 'receipt', kind: KIND.consumer, attributes, startedAt }, about).end(endedAt);
  }

  return {
    renew: (held, leaseUntil) => queue.renew(held, leaseUntil),
    depth: () => queue.depth(),
    reserveMore: (asked) => queue.reserveMore(asked),

    async claim(now, leaseUntil, limit) {
      const deliveries = await queue.claim(now, leaseUntil, limit);
      if (deliveries.length === 0) return deliveries;
      const found = await links.find(deliveries.map(({ id }) => id));
      for (const [id, request] of found) journeys.begin(id, { request, isFresh: false });
      return deliveries;
    },

    async settle(settlement) {
      const { id } = settlement;
      const journey = journeys.get(id);
      const early = await queue.settle(settlement);
      if (journey === undefined) return early;
      journeys.end(id, journey);
      const at = tracer.now();
      for (const outcome of early)
        tell(outcome, journey.send ?? journey.request, { startedAt: at, endedAt: at });
      return early;
    },

    async receive(receipt) {
      const { carrier, references, reason } = receipt;
      const startedAt = tracer.now();
      const outcome = await queue.receive(receipt);
      const endedAt = tracer.now();
      if (outcome.kind !== 'applied') return outcome;
      const names = references.map((reference) => nameOfReference(carrier, reference));
      // The carrier's answer does not wait for it.
      void links.find(names).then((found) => {
        const name = names.find((each) => found.has(each));
        tell(outcome, name === undefined ? undefined : found.get(name), { startedAt, endedAt, reason });
      });
      return outcome;
    },
  };
}
