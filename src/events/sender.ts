/** Sends the messages of the endpoints that this node has leased. Loaded only where there are endpoints. */
import { disableWebhook } from '../accounts/webhooks/endpoints.ts';
import { THE_SERVICE } from '../core/accounts/actor.ts';
import { describeError } from '../core/errors/error-facts.ts';
import { StoreFailure } from '../core/errors/store-failure.ts';
import type { DisabledWhy } from '../core/events/endpoint.ts';
import type { DueMessage, MessageFate } from '../core/events/event.ts';
import type { EventQueue } from '../core/events/queue.ts';
import { EXPIRY_MARGIN_MS } from '../core/events/schedule.ts';
import type { Clock } from '../core/seams/clock.ts';
import { repeat } from '../core/seams/repeat.ts';
import type { Keyring } from '../core/secrets/keyring.ts';
import type { Log } from '../core/sending/carrier.ts';
import type { Records } from '../core/sql/records.ts';
import { composeBody } from './body.ts';
import { LeasedEndpoint } from './leased-endpoint.ts';
import { type Endpoint, findReady, leaseEndpoints, releaseEndpoints } from './leases.ts';
import { writeOutcomes } from './outcomes.ts';
import type { Post } from './post.ts';
import { RequestSlots } from './request-slots.ts';
import { RoundRobin } from './round-robin.ts';
import { signWebhook } from './sign.ts';

interface SenderBounds {
  /** Requests under way to one endpoint. */
  readonly perEndpoint: number;
  /** To all endpoints together. */
  readonly atOnce: number;
}

export interface SenderDeps {
  readonly records: Records;
  readonly queue: EventQueue;
  readonly keyring: Keyring;
  readonly clock: Clock;
  /** The name of this node, which no other has. */
  readonly node: string;
  /** How long an endpoint stays with a silent node, in ms. */
  readonly lease: number;
  readonly bounds: SenderBounds;
  readonly openPost: (url: string) => Post;
  readonly tried: (result: 'sent' | 'failed' | 'given-up') => void;
  readonly log: Log;
  readonly random: () => number;
}

/** Messages of an endpoint in memory, without what they are about; the rest waits in the store. */
const PAGE = 200;
/** What came back and could not be written yet. Beyond that nothing is sent. */
const MOST_UNWRITTEN = 2_000;
const LOOK_EVERY_MS = 250;
const WRITE_EVERY_MS = 100;
const EXPIRE_EVERY_MS = 1_000;
const EXPIRED_AT_ONCE = 500;
const STOP_GRACE_MS = 5_000;

const ERASED = { kind: 'dropped', answer: 'what it was about was erased' } as const;

/** As metrics call it. */
const TRIED = { sent: 'sent', later: 'failed', 'given-up': 'given-up' } as const;

export class Sender {
  readonly #deps: SenderDeps;
  readonly #leased = new Map<string, LeasedEndpoint>();
  readonly #turns = new RoundRobin();
  readonly #places: RequestSlots;
  /** No longer served, but something is under way or not written. */
  readonly #leaving = new Set<LeasedEndpoint>();
  readonly #timers = new DisposableStack();
  /** Steady time until which the leases are ours. */
  #leasedUntil = 0;
  #unwritten = 0;
  #stopping = false;
  #idle: (() => void) | undefined;

  constructor(deps: SenderDeps) {
    this.#deps = deps;
    this.#places = new RequestSlots(deps.bounds.atOnce);
  }

  /** Does again and again what the methods below do once. */
  start(): void {
    const every = (pauseMs: number, what: string, work: () => Promise<unknown>) =>
      this.#timers.use(
        repeat(
          this.#deps.clock,
          0,
          async () => ((await work()) === 'more' ? 0 : pauseMs),
          (error) => {
            this.#deps.log('warn', `${what} postponed`, { error: describeError(error) });
            return pauseMs;
          },
        ),
      );
    every(this.#deps.lease / 3, 'the lease of webhooks', () => this.look());
    every(LOOK_EVERY_MS, 'sending of webhooks', () => this.findWork());
    every(WRITE_EVERY_MS, 'results of webhooks', () => this.write());
    every(EXPIRE_EVERY_MS, 'telling of expired codes', () => this.expire());
  }

  /** Reads the endpoints again, and leases what is free. */
  async look(): Promise<void> {
    const { records, keyring, clock, node, lease } = this.#deps;
    const begun = clock.steady();
    const endpoints = await leaseEndpoints(records, keyring, { node, lease, now: clock.now() });
    if (this.#stopping) return;
    this.#leasedUntil = begun + lease;
    const ids = new Set(endpoints.map(({ id }) => id));
    for (const id of this.#leased.keys()) if (!ids.has(id)) this.#drop(id);
    for (const endpoint of endpoints) this.#serve(endpoint);
  }

  /** Waits a moment for what is under way, writes what came back, and frees the endpoints for other nodes. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#timers.dispose();
    if (this.#places.taken > 0) {
      await new Promise<void>((resolve) => {
        const timer = this.#deps.clock.after(STOP_GRACE_MS, resolve);
        this.#idle = () => {
          timer[Symbol.dispose]();
          resolve();
        };
      });
    }
    // What is ended here was not settled: it is sent again.
    for (const { post } of this.#all()) post.close();
    try {
      await this.write();
      await releaseEndpoints(this.#deps.records, this.#deps.node);
    } catch (error) {
      this.#deps.log('warn', 'results of webhooks not written', { error: describeError(error) });
    }
  }

  #serve(endpoint: Endpoint): void {
    // Another node had it meanwhile, or it is at another address: what is in memory of it is old, and is not for the new fence.
    if (this.#leased.get(endpoint.id)?.endpoint.fence !== endpoint.fence) this.#drop(endpoint.id);
    const known = this.#leased.get(endpoint.id);
    if (known !== undefined) {
      known.renew(endpoint);
      return;
    }
    const leased = new LeasedEndpoint(endpoint, this.#deps.openPost);
    this.#leased.set(endpoint.id, leased);
    this.#turns.add(leased);
  }

  #drop(id: string): void {
    const leased = this.#leased.get(id);
    if (leased === undefined) return;
    this.#leased.delete(id);
    this.#turns.remove(leased);
    leased.leave();
    this.#leaving.add(leased);
  }

  #letGo(): void {
    for (const leased of this.#leaving) {
      if (!leased.isDone) continue;
      leased.post.close();
      this.#leaving.delete(leased);
    }
  }

  /** Reads what is due, and begins to send it. */
  async findWork(): Promise<void> {
    if (this.#leased.size === 0 || this.#stopping) return;
    for (const id of await findReady(this.#deps.records, this.#deps.node, this.#deps.clock.now())) {
      const leased = this.#leased.get(id);
      if (leased === undefined) continue;
      leased.more = true;
      await this.#fill(leased);
    }
    this.#sendNext();
  }

  async #fill(leased: LeasedEndpoint): Promise<void> {
    const { pending, endpoint } = leased;
    if (leased.filling || !leased.more || pending.waiting > PAGE / 2 || this.#stopping || !this.#isOurs())
      return;
    leased.filling = true;
    try {
      const { queue, clock } = this.#deps;
      const query = { webhookId: endpoint.id, now: clock.now(), held: pending.held, limit: PAGE };
      const found = await queue.dueMessages(query);
      // Meanwhile it may have been disabled, or taken over.
      if (this.#leased.get(endpoint.id) !== leased) return;
      leased.more = found.length >= PAGE;
      pending.add(found);
    } finally {
      leased.filling = false;
    }
  }

  /** Sends what the bounds allow. */
  #sendNext(): void {
    let begun: Promise<void> | undefined;
    do {
      if (this.#unwritten >= MOST_UNWRITTEN) return;
      if (this.#stopping || !this.#isOurs()) return;
      begun = this.#turns.next((leased) => {
        const message = this.#mayTake(leased) ? leased.pending.take() : undefined;
        return message && this.#send(leased, message);
      });
    } while (begun !== undefined);
  }

  #isOurs(): boolean {
    return this.#deps.clock.steady() < this.#leasedUntil;
  }

  #mayTake(leased: LeasedEndpoint): boolean {
    const { bounds, clock } = this.#deps;
    const { quietUntil, endpoint } = leased;
    if (endpoint.secrets.length === 0 || clock.steady() < quietUntil) return false;
    return this.#places.hasOneFor(leased, bounds.perEndpoint);
  }

  async #send(leased: LeasedEndpoint, message: DueMessage): Promise<void> {
    const { pending } = leased;
    const leave = this.#places.take(leased);
    const fate = await this.#try(leased, message).catch((error) => this.#explain(leased, error));
    pending.back(message);
    if (fate === 'not-tried') pending.settled(message.seq);
    else {
      leased.outcomes.push({ seq: message.seq, fate, at: this.#deps.clock.now() });
      this.#unwritten += 1;
    }
    leave();
    if (this.#stopping) {
      if (this.#places.taken === 0) this.#idle?.();
      return;
    }
    this.#sendNext();
    // While the store is away, the next look is soon enough.
    if (!leased.more || fate === 'not-tried') return;
    // What cannot be read now is found at the next look.
    await this.#fill(leased).catch(() => {});
    this.#sendNext();
  }

  async #try(leased: LeasedEndpoint, message: DueMessage): Promise<MessageFate> {
    const { keyring, queue, clock, random, tried } = this.#deps;
    const { endpoint, post } = leased;
    if (message.isErased) return ERASED;
    const answer = await post.send(async () => {
      const { id, verificationId } = message;
      // Whatever is told is read now: what was read before may have been erased since.
      const about = verificationId === null ? null : await queue.eventSubject(verificationId, clock.now());
      const body = composeBody(keyring, message, about, leased.endpoint.fullNumbers);
      if (body === undefined) return undefined;
      const seconds = Math.floor(clock.now() / 1_000);
      return {
        body,
        headers: {
          'webhook-id': id,
          'webhook-timestamp': String(seconds),
          'webhook-signature': signWebhook(endpoint.secrets, { id, seconds, body }),
        },
      };
    });
    if (answer.kind === 'withdrawn') return ERASED;
    const moment = { now: clock.now(), steady: clock.steady(), random: random() };
    const { fate, disable } = leased.judge(message, answer, moment);
    if (disable !== undefined) void this.#disable(leased, disable);
    tried(TRIED[fate.kind]);
    return fate;
  }

  #explain({ endpoint }: LeasedEndpoint, error: unknown): MessageFate | 'not-tried' {
    // Nothing was said, and the message is in the store.
    if (error instanceof StoreFailure) return 'not-tried';
    // A message that cannot be made must not hold up the others.
    this.#deps.log('error', 'webhook not sent', { webhook: endpoint.id, error: describeError(error) });
    return { kind: 'given-up', answer: 'it could not be made' };
  }

  async #disable(leased: LeasedEndpoint, why: DisabledWhy): Promise<void> {
    const { records, clock, log } = this.#deps;
    const { id, accountId, fence } = leased.endpoint;
    if (this.#leased.get(id) === leased) this.#drop(id);
    try {
      const change = { id, accountId, by: THE_SERVICE, now: clock.now() };
      if (await disableWebhook(records, change, why, fence))
        log('warn', 'webhook disabled', { webhook: id, why });
    } catch (error) {
      log('warn', 'webhook not disabled yet', { webhook: id, error: describeError(error) });
    }
  }

  /** Writes what became of messages. */
  async write(): Promise<void> {
    this.#letGo();
    const parts = this.#all().flatMap((leased) => {
      const { endpoint, outcomes } = leased;
      if (outcomes.length === 0) return [];
      leased.outcomes = [];
      return { leased, webhookId: endpoint.id, fence: endpoint.fence, outcomes };
    });
    if (parts.length === 0) return;
    try {
      await writeOutcomes(this.#deps.records, parts);
    } catch (error) {
      for (const { leased, outcomes } of parts) leased.outcomes.unshift(...outcomes);
      throw error;
    }
    for (const { leased, outcomes } of parts) {
      for (const { seq } of outcomes) leased.pending.settled(seq);
      this.#unwritten -= outcomes.length;
    }
    this.#sendNext();
  }

  #all(): LeasedEndpoint[] {
    return [...this.#leased.values(), ...this.#leaving];
  }

  /** Tells of codes that have expired. */
  async expire(): Promise<'more' | 'done'> {
    const { queue, clock } = this.#deps;
    const told = await queue.tellExpired(clock.now() - EXPIRY_MARGIN_MS, EXPIRED_AT_ONCE);
    return told >= EXPIRED_AT_ONCE ? 'more' : 'done';
  }
}
