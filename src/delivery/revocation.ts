/** Takes back what an earlier channel has not delivered yet, so that no second message with the code comes after the next one. */
import { StoreFailure } from '../core/errors/store-failure.ts';
import { beginLease, type Clock, sleep } from '../core/seams/clock.ts';
import type { OutgoingMessage, Revocation, TakenMessage } from '../core/sending/carrier.ts';
import { carrierOn } from '../core/sending/carrier-on.ts';
import type { AwaitedAttempt, DeliveryQueue } from '../core/sending/delivery.ts';
import type { DeliveryMetrics } from '../core/sending/delivery-metrics.ts';
import { TAKEN_BACK } from '../core/sending/taken-back.ts';
import type { Gate } from './gate/gate.ts';
import type { LeasedDelivery } from './leased-delivery.ts';
import { countReceipt } from './receipts.ts';

interface RevocationPorts {
  readonly clock: Clock;
  /** All that may have sent it. */
  readonly gates: readonly Gate[];
  readonly queue: Pick<DeliveryQueue, 'renew' | 'receive'>;
  readonly deliveryMetrics: Pick<DeliveryMetrics, 'delivered' | 'undelivered'>;
  /** In ms. */
  readonly lease: number;
}

/** How long the receipt of a message that was just arriving may take, in ms. */
const ARRIVING_MS = 1_500;

/**
 * Takes them back when it is first called, and tells whether one of them has arrived, so that nothing more is to be sent. Undefined if no
 * carrier can take anything back. What cannot be taken back, or nobody knows of, keeps no one from the next channel: both messages have
 * the same code.
 *
 * A process that dies in the middle has written nothing, and whoever claims the message next asks again.
 */
export function takingBack(
  { id, channel, destination, fallback }: OutgoingMessage,
  awaited: readonly AwaitedAttempt[],
  held: LeasedDelivery,
  { gates, ...ports }: RevocationPorts,
): (() => Promise<boolean>) | undefined {
  const from = fallback?.from ?? channel;
  const all = awaited.flatMap((attempt) => {
    const over = attempt.channel ?? from;
    if (over === channel) return [];
    const taken = { id, channel: over, destination, reference: attempt.reference };
    // A carrier that a reload replaced knows what it sent, and the one in its place does not.
    return gates.flatMap((gate) =>
      gate.name === attempt.carrier && gate.takesBack ? [{ attempt, taken, gate }] : [],
    );
  });
  if (all.length === 0) return undefined;
  let asked: Promise<boolean> | undefined;
  return () => {
    asked ??= askBack(all, held, ports);
    return asked;
  };
}

interface Taken {
  readonly attempt: AwaitedAttempt;
  readonly taken: TakenMessage;
  readonly gate: Pick<Gate, 'revoke'>;
}

async function askBack(
  all: readonly Taken[],
  held: LeasedDelivery,
  ports: Omit<RevocationPorts, 'gates'>,
): Promise<boolean> {
  const asked = all.flatMap(({ attempt, taken, gate }) => {
    const revocation = gate.revoke(taken);
    return revocation === undefined ? [] : [revocation.then((came) => ({ attempt, came }))];
  });
  return asked.length > 0 && conclude(asked, held, ports);
}

interface Revoked {
  readonly attempt: AwaitedAttempt;
  readonly came: Revocation;
}

async function conclude(
  asked: readonly Promise<Revoked>[],
  held: LeasedDelivery,
  { clock, queue, deliveryMetrics, lease }: Omit<RevocationPorts, 'gates'>,
): Promise<boolean> {
  const answers = await Promise.all(asked);
  if (answers.some(({ came }) => came === 'arrived')) return true;
  if (answers.some(({ came }) => came === 'unless-arriving')) await sleep(clock, ARRIVING_MS);
  try {
    // A receipt that said delivered, or a confirmation, has ended it meanwhile.
    const { since, now } = beginLease(clock);
    const fence = held.fence;
    const kept = await queue.renew([{ id: held.id, fence }], now + lease);
    if (!kept.has(held.id)) {
      held.lose();
      return false;
    }
    held.prolong(fence, since, lease);
    // Before a reload and after, two carriers of one name may both say so.
    const gone = new Set(answers.flatMap(({ attempt, came }) => (came === 'unknown' ? [] : [attempt])));
    for (const attempt of gone) {
      if (attempt.reference === null) continue;
      const outcome = await queue.receive({
        ...{ carrier: attempt.carrier, references: [attempt.reference], recipientTags: [] },
        ...{ status: 'undelivered', reason: TAKEN_BACK, at: clock.now() },
        ...{ price: null, currency: null, network: null },
      });
      countReceipt(deliveryMetrics, outcome);
      held.spend(carrierOn(attempt.carrier, attempt.channel));
    }
  } catch (error) {
    if (!(error instanceof StoreFailure)) throw error;
  }
  return false;
}
