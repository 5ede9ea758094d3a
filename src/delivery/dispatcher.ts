/** Sends what is in the queue: new verifications handed over in memory, and those that fall due. */
import type { BudgetWatch, Charge } from '../core/budgets/budget.ts';
import type { FindLack, Funds } from '../core/budgets/funds.ts';
import { describeError } from '../core/errors/error-facts.ts';
import { StoreFailure } from '../core/errors/store-failure.ts';
import { beginLease, type Clock, sleep, type Timer } from '../core/seams/clock.ts';
import { NOT_ASKED, type Outcome, type OutgoingMessage } from '../core/sending/carrier.ts';
import type { DailyCap } from '../core/sending/daily-cap.ts';
import type {
  Attempt,
  AwaitedAttempt,
  Delivery,
  DeliveryQueue,
  HandOver,
  NextStep,
  ReceiptOutcome,
  SealedMessage,
} from '../core/sending/delivery.ts';
import type { DeliveryMetrics } from '../core/sending/delivery-metrics.ts';
import { LinkedList } from '../core/sending/linked-list.ts';
import { backoff } from './backoff.ts';
import type { Gate } from './gate/gate.ts';
import { type Leased, LeasedDelivery } from './leased-delivery.ts';
import { andThen, type MaybePromise } from './maybe-promise.ts';
import { presentReason } from './reason.ts';
import { countReceipt } from './receipts.ts';
import { takingBack } from './revocation.ts';
import { type Choice, type RoundPorts, type RoundResult, runRound, STAYS, withoutPlace } from './round.ts';
import { withinBudgets } from './within-budgets.ts';
import { withinCap } from './within-cap.ts';

/** What a round goes by, to its end, whatever is configured meanwhile. */
export interface RoundConfiguration extends RoundPorts {
  /** ISO 4217. */
  readonly currency: string;
  /** The carriers of a message's route in the order in which to ask them, chosen again for each round. */
  readonly choose: (message: OutgoingMessage) => readonly Choice[];
  /** What a message lacks in budgets before a carrier may be asked. */
  readonly findLack: FindLack;
  /** The daily cap of the route that a message goes on by, which its request did not count against. */
  readonly capOf: (message: OutgoingMessage) => DailyCap | undefined;
  /** A round begins that goes by them. */
  entered(): void;
  /** It has ended, and is settled. */
  left(): void;
}

export interface DispatcherDeps {
  readonly clock: Clock;
  readonly queue: DeliveryQueue;
  /** Those of a round that begins now. */
  readonly roundConfiguration: RoundConfiguration;
  /** All gates that a round may still ask. */
  readonly gates: readonly Gate[];
  /** Opens what the queue keeps sealed. */
  readonly open: (sealed: SealedMessage) => OutgoingMessage;
  readonly deliveryMetrics: DeliveryMetrics;
  readonly budgetWatch: Pick<BudgetWatch, 'exhausted'>;
  readonly log: (level: 'info' | 'warn' | 'error', message: string, fields: Record<string, unknown>) => void;
}

export interface DispatcherOptions {
  /** How long a delivery belongs to this node without renewal, in ms. */
  readonly lease: number;
  /** Maximum number of deliveries in memory. The rest wait in the queue. */
  readonly capacity?: number;
}

/** About 20 MB. */
const CAPACITY = 10_000;
const STOP_GRACE_MS = 10_000;
/** Messages without room that are remembered; beyond that, some are told again. */
const MOST_TOLD = 10_000;
const NOTHING_SPENT: readonly string[] = [];
const NOTHING_AWAITED: readonly AwaitedAttempt[] = [];
const NO_BUDGETS: Funds['own'] = [];

const CLAIM_EVERY_MS = 250;
/** However long a lease is: what was erased or confirmed meanwhile is not to be sent. */
const RENEW_EVERY_MS = 5_000;
const GAUGE_EVERY_MS = 5_000;
const SETTLE_AGAIN_MS = 500;

export class Dispatcher {
  readonly #deps: DispatcherDeps;
  readonly #options: Required<DispatcherOptions>;
  readonly #held = new LinkedList<LeasedDelivery>();
  readonly #looking: Timer[] = [];
  /** Messages that found no room in a budget. */
  readonly #toldFull = new Set<string>();
  #renewing: Timer | undefined;
  #claiming = false;
  #stopping = false;

  constructor(deps: DispatcherDeps, options: DispatcherOptions) {
    this.#deps = deps;
    this.#options = { capacity: CAPACITY, ...options };
  }

  start(): void {
    const { clock } = this.#deps;
    this.#looking.push(
      clock.every(CLAIM_EVERY_MS, () => this.#background(this.#claim())),
      clock.every(GAUGE_EVERY_MS, () => this.#background(this.#gauge())),
    );
    const renewEvery = Math.min(this.#options.lease / 3, RENEW_EVERY_MS);
    this.#renewing = clock.every(renewEvery, () => this.#background(this.#renew()));
  }

  /** Takes a verification just written under our lease, or gives it back so that any node with room claims it. */
  accept: HandOver = (message, createdAt, leasedSince, funds) => {
    if (this.#stopping || this.#held.size >= this.#options.capacity) {
      this.#background(this.#giveBack(message.id));
      return;
    }
    const first = { id: message.id, fence: 0, rounds: 0, spentCarriers: NOTHING_SPENT, funds };
    this.#send(message, createdAt, this.#one(first, leasedSince));
  };

  /**
   * Finishes what is under way within `graceMs`, then cuts off the rest. When this resolves, every delivery is settled:
   * sent, or back in the queue.
   */
  async stop(graceMs = STOP_GRACE_MS): Promise<void> {
    this.#stopping = true;
    for (const timer of this.#looking.splice(0)) timer[Symbol.dispose]();
    const { clock } = this.#deps;
    const cutOff = clock.steady() + graceMs;
    let aborted = false;
    while (this.#held.size > 0 || this.#claiming) {
      if (!aborted && clock.steady() >= cutOff) {
        aborted = true;
        for (const gate of this.#deps.gates) gate.abort();
      }
      await sleep(clock, 10);
    }
    // Not before: what is confirmed or erased while a carrier takes its time must not go on to the next.
    this.#renewing?.[Symbol.dispose]();
  }

  #send(
    message: OutgoingMessage,
    createdAt: number,
    held: LeasedDelivery,
    stays = false,
    awaited = NOTHING_AWAITED,
  ): void {
    // Read once: there may be another while it waits for its place.
    const { roundConfiguration, queue } = this.#deps;
    const entry = this.#held.add(held);
    roundConfiguration.entered();
    const leave = () => {
      this.#held.remove(entry);
      roundConfiguration.left();
    };
    const fail = (error: unknown) => {
      // Nothing is lost: the lease expires, and the delivery is claimed again.
      const fields = { verification: held.id, error: describeError(error) };
      this.#deps.log('error', 'a delivery failed unexpectedly', fields);
      leave();
    };
    try {
      if (awaited.length > 0)
        held.takeBack = takingBack(message, awaited, held, { ...this.#deps, lease: this.#options.lease });
      let round: MaybePromise<RoundResult>;
      if (stays) round = this.#awaitRoute(message, held);
      else if (message.fallback === undefined)
        round = run(roundConfiguration, queue, message, createdAt, held);
      else
        round = withinCap(
          roundConfiguration.capOf(message),
          held,
          roundConfiguration,
          () => run(roundConfiguration, queue, message, createdAt, held),
          () => withoutPlace(message, roundConfiguration),
        );
      // If the carrier answered at once, its settlement joins those of the same turn of the event loop.
      const concluded = andThen(round, (result) => this.#conclude(message, createdAt, held, result));
      void andThen(concluded, leave, fail);
    } catch (error) {
      fail(error);
    }
  }

  /** This node has no route by which it could go on. Another may have one, or this one after a reload; what was sent may still arrive. */
  #awaitRoute({ expiresAt }: OutgoingMessage, held: LeasedDelivery): RoundResult {
    const dueAt = this.#later(held);
    if (dueAt >= expiresAt) return STAYS;
    return { attempts: [], next: { kind: 'retry', dueAt }, charged: [] };
  }

  #later({ rounds }: Pick<LeasedDelivery, 'rounds'>): number {
    return this.#deps.clock.now() + backoff(rounds, this.#deps.roundConfiguration.random);
  }

  /** Settles a round, unless there is nothing to settle. */
  #conclude(
    message: OutgoingMessage,
    createdAt: number,
    held: LeasedDelivery,
    { attempts, next, charged, full }: RoundResult,
  ): MaybePromise<void> {
    const { deliveryMetrics } = this.#deps;
    if (full !== undefined) this.#tellFull(held.id, full);
    // A reservation hears that this round cost nothing; the queue ignores who does not hold the delivery any more.
    if (attempts.length === 0 && !held.wanted && held.funds.reservation === undefined) return;
    for (const { carrier, outcome, startedAt, endedAt, reason } of attempts) {
      if (reason?.startsWith(NOT_ASKED)) continue;
      deliveryMetrics.attempted(carrier, outcome, endedAt - startedAt);
      if (reason !== null) deliveryMetrics.erred(carrier, presentReason(reason), endedAt);
    }
    const step = this.#stopping ? this.#atOnce(next) : next;
    return this.#settle(message, held, { attempts, next: step, charged }).then((receipts) => {
      this.#count(message, createdAt, attempts, next);
      for (const receipt of receipts) countReceipt(deliveryMetrics, receipt);
    });
  }

  /** As a refusal at the door: once for each message, however often it looks for room. */
  #tellFull(id: string, full: Charge): void {
    if (this.#toldFull.has(id)) return;
    if (this.#toldFull.size >= MOST_TOLD) this.#toldFull.clear();
    this.#toldFull.add(id);
    this.#deps.budgetWatch.exhausted(full);
  }

  /** Sent but not settled means sent again, so settling is retried until the code expires. */
  #settle(message: OutgoingMessage, held: LeasedDelivery, result: RoundResult): Promise<ReceiptOutcome[]> {
    const { id, expiresAt } = message;
    return this.#deps.queue.settle({ id, fence: held.fence, ...result }).catch(async (error) => {
      if (!(error instanceof StoreFailure) || this.#stopping || this.#deps.clock.now() >= expiresAt)
        throw error;
      await sleep(this.#deps.clock, SETTLE_AGAIN_MS);
      return this.#settle(message, held, result);
    });
  }

  async #giveBack(id: string): Promise<void> {
    const { clock, queue } = this.#deps;
    const next: NextStep = { kind: 'retry', dueAt: clock.now() };
    await queue.settle({ id, fence: 0, attempts: [], next, charged: [] });
  }

  async #claim(): Promise<void> {
    if (this.#claiming || this.#stopping) return;
    this.#claiming = true;
    try {
      const room = this.#options.capacity - this.#held.size;
      if (room <= 0) return;
      const { clock, queue } = this.#deps;
      const { since, now } = beginLease(clock);
      const limit = Math.min(room, 500);
      const deliveries = await queue.claim(now, now + this.#options.lease, limit);
      if (deliveries.length === 0) return;
      const held = new Map([...this.#held].map((each) => [each.id, each]));
      for (const delivery of deliveries) this.#takeUp(delivery, since, held.get(delivery.id));
    } finally {
      this.#claiming = false;
    }
  }

  /**
   * Sends a delivery, unless it is already `held` here. If the store has settled what is held, and it is due again, it is a
   * delivery of its own: the answer to the settlement may come after that to the claim.
   */
  #takeUp(delivery: Delivery, since: number, held: LeasedDelivery | undefined): void {
    const { open, log } = this.#deps;
    if (held !== undefined && !held.precedes(delivery)) {
      held.prolong(delivery.fence, since, this.#options.lease);
      return;
    }
    try {
      const opened = open(delivery);
      const { keyId, predecessors, settings, reservation } = delivery;
      const message = reservation === null ? opened : { ...opened, reserved: true };
      const own = settings?.budgets ?? NO_BUDGETS;
      const funds = { keyId, predecessors, own, reservation: reservation ?? undefined };
      // A reload may have taken away the channel by which it was to go on: what was sent before may still arrive.
      const stays = delivery.awaited.length > 0 && (opened.fallback?.leg ?? 0) < delivery.leg;
      const one = this.#one({ ...delivery, funds }, since);
      this.#send(message, delivery.createdAt, one, stays, delivery.awaited);
    } catch (error) {
      log('error', 'a delivery cannot be opened', { verification: delivery.id, error: describeError(error) });
      // Not when the lease ends: a node whose timer is due then would claim it again and again, and none that can open it ever would.
      this.#background(this.#leaveToOthers(delivery));
    }
  }

  async #leaveToOthers(delivery: Delivery): Promise<void> {
    const { id, fence } = delivery;
    const next: NextStep = { kind: 'retry', dueAt: this.#later(delivery) };
    await this.#deps.queue.settle({ id, fence, attempts: [], next, charged: [] });
  }

  async #renew(): Promise<void> {
    if (this.#held.size === 0) return;
    const held = [...this.#held];
    const leases = held.map(({ id, fence }) => ({ id, fence }));
    const { clock, queue } = this.#deps;
    const { since, now } = beginLease(clock);
    const renewed = await queue.renew(leases, now + this.#options.lease);
    // After a lost lease, messages that wait at a gate are no longer sent; those already at their carrier may finish.
    for (const [i, one] of held.entries()) {
      const { fence } = leases[i] ?? one;
      // Claimed again meanwhile: it has a newer lease than the one that this renewal was about.
      if (one.fence !== fence) continue;
      if (renewed.has(one.id)) one.prolong(fence, since, this.#options.lease);
      else one.lose();
    }
  }

  async #gauge(): Promise<void> {
    this.#deps.deliveryMetrics.queueDepth(await this.#deps.queue.depth());
  }

  /** Its timer repeats background work. While the store is unavailable there is nothing to do but wait. */
  #background(work: Promise<void>): void {
    work.catch((error: unknown) => {
      this.#deps.log('warn', 'the delivery queue could not be reached', { error: describeError(error) });
    });
  }

  /** Another node takes over at once what a stopping node cannot retry. */
  #atOnce(next: NextStep): NextStep {
    return next.kind === 'retry' ? { ...next, dueAt: this.#deps.clock.now() } : next;
  }

  #one(leased: Leased, since: number): LeasedDelivery {
    return new LeasedDelivery(leased, this.#deps.clock, since, this.#options.lease);
  }

  #count(
    { channel, fallback, destination, only }: OutgoingMessage,
    createdAt: number,
    attempts: readonly Attempt[],
    next: NextStep,
  ): void {
    const { deliveryMetrics } = this.#deps;
    const { country } = destination;
    const taken = attempts.findLast(({ outcome }) => isTaken(outcome));
    // As it was requested: what was asked for has failed, by whichever channel it went last.
    if (next.kind === 'failed' && only === undefined)
      deliveryMetrics.failed(fallback?.from ?? channel, country);
    if (taken === undefined) return;
    deliveryMetrics.submitted(channel, country, taken.carrier, taken.endedAt - createdAt);
    if (taken.outcome === 'delivered')
      deliveryMetrics.delivered(channel, country, taken.carrier, taken.endedAt - createdAt);
  }
}

function isTaken(outcome: Outcome['kind']): boolean {
  return outcome === 'accepted' || outcome === 'delivered';
}

/** By one configuration, to its end. */
function run(
  configuration: RoundConfiguration,
  queue: DeliveryQueue,
  message: OutgoingMessage,
  createdAt: number,
  held: LeasedDelivery,
): MaybePromise<RoundResult> {
  const { findLack } = configuration;
  const choices = withinBudgets(configuration.choose(message), held, { message, createdAt }, findLack, queue);
  return runRound(message, choices, held, configuration, createdAt);
}
