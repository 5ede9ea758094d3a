/** A delivery under way on this node: knows whether it may still be sent from here. */
import { joined, type Reservation } from '../core/budgets/budget.ts';
import type { Funds } from '../core/budgets/funds.ts';
import type { Clock } from '../core/seams/clock.ts';
import type { RoundFacts } from './round.ts';

/** How far the clock and the steady time may drift apart before we assume that the machine has slept, in ms. */
const SLEPT_MS = 1_000;

/** What the store said about a delivery when it leased it. */
export interface Leased {
  readonly id: string;
  readonly fence: number;
  readonly rounds: number;
  readonly spentCarriers: readonly string[];
  readonly funds: Funds;
}

/**
 * A process can be stopped for longer than its lease and then continue without noticing. So it is not enough that
 * nobody has reported a loss: right before a carrier is asked, the lease must still be valid, counted from the moment
 * before the store was asked for it. A lost lease is dropped; the next node that looks claims the delivery again.
 */
export class LeasedDelivery implements RoundFacts {
  readonly id: string;
  readonly rounds: number;
  spentCarriers: readonly string[];
  takeBack: RoundFacts['takeBack'];
  readonly #clock: Clock;
  #funds: Funds;
  #fence: number;
  #goodUntil = 0;
  #drift = 0;
  #lost = false;

  /** `since` is the steady time before the store was asked; `lease` is the lease that was asked for, in ms. */
  constructor(
    { id, fence, rounds, spentCarriers, funds }: Leased,
    clock: Clock,
    since: number,
    lease: number,
  ) {
    this.id = id;
    this.rounds = rounds;
    this.spentCarriers = spentCarriers;
    this.#clock = clock;
    this.#funds = funds;
    this.#fence = fence;
    this.prolong(fence, since, lease);
  }

  /** The fence of the latest lease: a node that could not renew in time may claim what it already holds. */
  get fence(): number {
    return this.#fence;
  }

  get funds(): Funds {
    return this.#funds;
  }

  /** The store has reserved more. */
  fund(more: Reservation): void {
    this.#funds = { ...this.#funds, reservation: joined(this.#funds.reservation, more) };
  }

  /** Whether the message may still be sent from here. */
  get wanted(): boolean {
    return (
      !this.#lost &&
      this.#clock.steady() < this.#goodUntil &&
      // Steady time stops while a machine sleeps; its clock does not.
      Math.abs(driftOf(this.#clock) - this.#drift) < SLEPT_MS
    );
  }

  /** Whether this round of the delivery is over in the store, which has leased a later one. */
  precedes({ rounds, spentCarriers }: Pick<Leased, 'rounds' | 'spentCarriers'>): boolean {
    return rounds > this.rounds || spentCarriers.length > this.spentCarriers.length;
  }

  /** The store has leased it again. */
  prolong(fence: number, since: number, lease: number): void {
    this.#fence = fence;
    this.#goodUntil = since + lease;
    this.#drift = driftOf(this.#clock);
    this.#lost = false;
  }

  /** The store has noted that a carrier did not deliver it, and says so once when it leases it again, however often it took it. */
  spend(carrier: string): void {
    if (!this.spentCarriers.includes(carrier)) this.spentCarriers = [...this.spentCarriers, carrier];
  }

  /** The code was confirmed, has expired, or belongs to another node. */
  lose(): void {
    this.#lost = true;
  }
}

function driftOf({ wall, steady }: Clock): number {
  return wall() - steady();
}
