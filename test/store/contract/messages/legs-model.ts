/** What becomes of messages that go on by other channels, said as plainly as possible, beside the store that is tested. */
import { CHANNEL_NAMES, type Channel } from '../../../../src/core/destination/channel.ts';
import type { EventType } from '../../../../src/core/events/event.ts';
import { carrierOn } from '../../../../src/core/sending/carrier-on.ts';
import type { Attempt, NextStep } from '../../../../src/core/sending/delivery.ts';
import type { NewVerification } from '../../../../src/core/verification/verification.ts';
import { LEASE, unique } from '../rig.ts';

/** Where a message is: in the queue, leased or until a time; at a carrier, whose receipt it waits for; or at its end. */
type Place =
  | { readonly kind: 'queued'; readonly at: number }
  | { readonly kind: 'waiting'; readonly goesOnAt: number | null }
  | { readonly kind: 'over' };

interface ModelAttempt {
  readonly fence: number;
  readonly carrier: string;
  /** Null is the one that was asked for. */
  readonly channel: Channel | null;
  readonly outcome: Attempt['outcome'];
  readonly reference: string;
  receipt: 'delivered' | 'undelivered' | null;
}

/** What a holder settles: how the carrier answered, and what follows. */
export type Settling = 'waits' | 'waits-for-receipt' | 'taken' | 'arrived' | 'refused' | 'again' | 'failed';

interface Holder {
  readonly channel: Channel | null;
  readonly since: number;
}

export interface ModelMessage {
  readonly v: NewVerification;
  place: Place;
  expiresAt: number;
  confirmed: boolean;
  leg: number;
  fence: number;
  rounds: number;
  /** The leases that are not settled, by their fences. */
  readonly holders: Map<number, Holder>;
  readonly attempts: ModelAttempt[];
}

export type Figure =
  | 'requested'
  | 'submitted'
  | 'delivered'
  | 'undelivered'
  | 'failed'
  | 'failedAttempts'
  | 'confirmed';

const OUTCOMES: Readonly<Record<Settling, Attempt['outcome']>> = {
  waits: 'accepted',
  'waits-for-receipt': 'accepted',
  taken: 'accepted',
  arrived: 'delivered',
  refused: 'permanent',
  again: 'temporary',
  failed: 'permanent',
};

const OVER: Place = { kind: 'over' };

/** The channel of each leg; the first is the one that was asked for. */
const channelOf = (leg: number): Channel | null =>
  leg === 0 ? null : (CHANNEL_NAMES[leg % CHANNEL_NAMES.length] ?? null);

export function createLegsModel() {
  const messages: ModelMessage[] = [];
  const figures = new Map<string, number>();
  const told: string[] = [];

  const count = (figure: Figure, { v }: ModelMessage, channel: Channel | null) => {
    const name = `${figure} ${channel ?? v.channel}`;
    figures.set(name, (figures.get(name) ?? 0) + 1);
  };
  const tell = (type: EventType, { v }: ModelMessage, channel: Channel | null) =>
    told.push(`${type} ${v.id} ${channel ?? v.channel}`);

  const isTaken = ({ outcome }: ModelAttempt) => outcome === 'accepted' || outcome === 'delivered';
  const hasArrived = ({ outcome, receipt }: ModelAttempt) =>
    outcome === 'delivered' || receipt === 'delivered';
  /** May still arrive, as far as anybody knows. */
  const hasHope = ({ attempts }: ModelMessage) =>
    attempts.some((each) => isTaken(each) && each.receipt !== 'undelivered');

  function giveUp(one: ModelMessage, channel: Channel | null): void {
    one.place = OVER;
    if (hasHope(one)) return;
    if (!one.attempts.some(isTaken)) count('failed', one, null);
    tell('delivery.failed', one, channel);
  }

  return {
    messages,
    figures,
    told,

    issue(v: NewVerification): void {
      const one: ModelMessage = {
        ...{ v, place: { kind: 'queued', at: v.createdAt + LEASE }, expiresAt: v.expiresAt },
        ...{ confirmed: false, leg: 0, fence: 0, rounds: 0 },
        ...{ holders: new Map([[0, { channel: null, since: v.createdAt }]]), attempts: [] },
      };
      messages.push(one);
      count('requested', one, null);
      tell('verification.requested', one, null);
    },

    /** When a claim finds the next one that is not over. */
    nextTime(): number | undefined {
      const times = messages.flatMap(({ place }) => {
        if (place.kind === 'queued') return place.at;
        return place.kind === 'waiting' && place.goesOnAt !== null ? place.goesOnAt : [];
      });
      return times.length === 0 ? undefined : Math.min(...times);
    },

    /** Those that are due go to the caller. One that waited in vain goes on by its next channel. */
    claim(now: number) {
      const leased = messages.flatMap((one) => {
        const { place, expiresAt } = one;
        // In its last millisecond it may still be held.
        const isDue = place.kind === 'queued' && place.at <= now && expiresAt > now + 1;
        const goesOn = place.kind === 'waiting' && place.goesOnAt !== null && place.goesOnAt <= now;
        if (place.kind !== 'over' && expiresAt <= now) {
          giveUp(one, null);
          return [];
        }
        if (!isDue && !goesOn) return [];
        if (goesOn) {
          one.leg++;
          one.rounds++;
        }
        one.fence++;
        one.holders.set(one.fence, { channel: channelOf(one.leg), since: now });
        one.place = { kind: 'queued', at: Math.min(now + LEASE, expiresAt - 1) };
        const spent = one.attempts
          .filter(({ outcome, receipt }) => outcome === 'permanent' || receipt === 'undelivered')
          .map(({ carrier, channel }) => carrierOn(carrier, channel));
        const { leg, fence, rounds, v } = one;
        return [{ id: v.id, leg, fence, rounds, spent: [...new Set(spent)].sort() }];
      });
      return leased.sort((a, b) => (a.id < b.id ? -1 : 1));
    },

    /** What the holder of a lease has to say; what it means for the queue counts only while it holds it. */
    settle(one: ModelMessage, fence: number, as: Settling, carrier: string, now: number, after: number) {
      const { channel, since } = one.holders.get(fence) ?? { channel: null, since: now };
      one.holders.delete(fence);
      const outcome = OUTCOMES[as];
      const attempt: ModelAttempt = {
        fence,
        carrier,
        channel,
        outcome,
        reference: unique('ref'),
        receipt: null,
      };
      const before = one.attempts.filter((each) => each.carrier === carrier && each.channel === channel);
      one.attempts.push(attempt);
      if (isTaken(attempt)) {
        if (!before.some(isTaken)) count('submitted', one, channel);
        const arrived = before.some((each) => each.outcome === 'delivered' || each.receipt === 'delivered');
        if (outcome === 'delivered' && !arrived) count('delivered', one, channel);
        tell(`delivery.${outcome === 'delivered' ? 'delivered' : 'accepted'}`, one, channel);
      } else count('failedAttempts', one, channel);
      const next = stepOf(one, as, now, after);
      if (fence === one.fence && one.place.kind !== 'over') this.follow(one, next, channel);
      return { attempt, next, since };
    },

    follow(one: ModelMessage, next: NextStep, channel: Channel | null): void {
      switch (next.kind) {
        case 'submitted':
          one.place = next.failover ? { kind: 'waiting', goesOnAt: next.fallbackAt ?? null } : OVER;
          break;
        case 'delivered':
          one.place = OVER;
          break;
        case 'failed':
          giveUp(one, channel);
          break;
        case 'retry':
          // One at its end never comes.
          one.place =
            next.dueAt < one.expiresAt
              ? { kind: 'queued', at: next.dueAt }
              : { kind: 'waiting', goesOnAt: null };
          one.rounds++;
          one.leg = next.leg ?? one.leg;
      }
    },

    /** Whether who has the fence still holds it: what was settled, and waits for a receipt, nobody does. */
    renew(one: ModelMessage, fence: number, now: number): boolean {
      if (fence !== one.fence || one.place.kind !== 'queued') return false;
      one.place = { kind: 'queued', at: Math.min(now + LEASE, one.expiresAt - 1) };
      return true;
    },

    /** Whether it made the message due again. */
    receive(one: ModelMessage, attempt: ModelAttempt, status: 'delivered' | 'undelivered', now: number) {
      if (attempt.receipt !== null) return 'duplicate';
      attempt.receipt = status;
      const { carrier, channel } = attempt;
      const others = one.attempts.filter((each) => each !== attempt);
      const isKnown = others.some(
        (each) =>
          each.carrier === carrier &&
          each.channel === channel &&
          (each.receipt === status || each.outcome === status),
      );
      if (!isKnown) count(status, one, channel);
      tell(`delivery.${status}`, one, channel);
      if (status === 'delivered') {
        one.place = OVER;
        return 'noted';
      }
      // A channel that it went on by waits for its own receipt.
      const isLate = others.some(
        (each) =>
          each.fence > attempt.fence &&
          each.channel !== channel &&
          each.outcome === 'accepted' &&
          each.receipt === null,
      );
      if (one.place.kind !== 'waiting' || one.expiresAt <= now || isLate) return 'noted';
      one.place = { kind: 'queued', at: now };
      return 'requeued';
    },

    /** Whether the stores agree on what it came by: not of two that arrived, nor of two that were settled out of their order. */
    isClear({ attempts }: ModelMessage): boolean {
      const taken = attempts.filter(isTaken);
      const arrived = taken.filter(hasArrived);
      const inOrder = taken.every(({ fence }, index) => fence >= (taken[index - 1]?.fence ?? 0));
      return arrived.length < 2 && inOrder;
    },

    confirm(one: ModelMessage, now: number): 'confirmed' | 'already-confirmed' | 'expired' {
      if (one.confirmed) return 'already-confirmed';
      if (one.expiresAt <= now) return 'expired';
      one.confirmed = true;
      one.place = OVER;
      const taken = one.attempts.filter(isTaken).sort((a, b) => b.fence - a.fence);
      // Who delivered it, or else the newest that did not report it undelivered, or else the newest.
      const by = taken.find(hasArrived) ?? taken.find(({ receipt }) => receipt !== 'undelivered') ?? taken[0];
      count('confirmed', one, by?.channel ?? null);
      tell('verification.confirmed', one, by?.channel ?? null);
      return 'confirmed';
    },

    cancel(one: ModelMessage, now: number): boolean {
      if (one.confirmed || one.expiresAt <= now) return false;
      one.expiresAt = now;
      one.place = OVER;
      return true;
    },

    /** What its page shows. */
    show(one: ModelMessage, now: number) {
      const isOver = one.place.kind === 'over';
      const hasEnded = isOver || one.expiresAt <= now;
      const without = one.attempts.some(isTaken) ? 'undelivered' : 'failed';
      const others = hasEnded && !hasHope(one) ? without : one.expiresAt <= now ? 'expired' : 'pending';
      return {
        status: one.confirmed ? 'confirmed' : others,
        inQueue: !isOver,
        attempts: one.attempts
          .map(({ carrier, channel, outcome, receipt }) =>
            [carrier, channel ?? one.v.channel, outcome, receipt].join(' '),
          )
          .sort(),
      };
    },
  };
}

function stepOf({ leg }: ModelMessage, as: Settling, now: number, after: number): NextStep {
  switch (as) {
    case 'waits':
      return { kind: 'submitted', failover: true, fallbackAt: now + after };
    case 'waits-for-receipt':
      return { kind: 'submitted', failover: true };
    case 'taken':
      return { kind: 'submitted', failover: false };
    case 'arrived':
      return { kind: 'delivered', inbox: false };
    case 'refused':
      return { kind: 'retry', dueAt: now, leg: leg + 1 };
    case 'again':
      return { kind: 'retry', dueAt: now + after };
    case 'failed':
      return { kind: 'failed' };
  }
}
