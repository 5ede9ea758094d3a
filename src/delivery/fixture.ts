/** Test rig for delivery: a running dispatcher with scripted carriers and metrics that remember. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Funds } from '../core/budgets/funds.ts';
import { type Clock, SYSTEM_CLOCK } from '../core/seams/clock.ts';
import { HASTY_CLOCK } from '../core/seams/clock-fixture.ts';
import { SYSTEM_RANDOM } from '../core/seams/random.ts';
import type { Carrier, Outcome, OutgoingMessage } from '../core/sending/carrier.ts';
import type { Delivery, DeliveryQueue } from '../core/sending/delivery.ts';
import type { DeliveryMetrics } from '../core/sending/delivery-metrics.ts';
import type { VerificationStore } from '../core/verification/verification.ts';
import { newVerification } from '../core/verification/verification-fixture.ts';
import { Dispatcher, type DispatcherDeps, type RoundConfiguration } from './dispatcher.ts';
import { createGate, type GateOptions } from './gate/gate.ts';
import { createReceive } from './receipts.ts';

export const ACCEPTED = { kind: 'accepted', reference: 'r1', receiptFollows: true } satisfies Outcome;
export const TEMPORARY = { kind: 'temporary', reason: 'busy' } satisfies Outcome;
export const PERMANENT = { kind: 'permanent', reason: 'refused' } satisfies Outcome;

/** Of a message that no budget applies to. */
export const NO_FUNDS: Funds = { keyId: 'key_1', own: [], reservation: undefined };

/** How long a delivery is leased, in ms. */
export const LEASE = 60_000;

const RULES = {
  limits: { sendsPerDestination: [], failedGuessesPerDestination: [], requestsPerKey: [] },
  retention: {
    verifications: 86_400_000,
    simulatorMessages: 86_400_000,
    events: 7 * 86_400_000,
    signals: 86_400_000,
    statistics: 86_400_000,
  },
};

export const OPEN_GATE: GateOptions = {
  clock: SYSTEM_CLOCK,
  concurrency: 10,
  timeout: 60_000,
  breaker: { failures: 1_000, resetAfter: 60_000 },
};

/** A gate for the carrier, with shortcuts for asking, the states of its breaker, and why it opened. */
export function gateOf(carrier: Carrier, options: Partial<GateOptions> = {}) {
  const states: string[] = [];
  const breaker = { failures: 3, resetAfter: 1_000 };
  const reasons: string[] = [];
  const gate = createGate(carrier, { ...OPEN_GATE, breaker, ...options }, (state, why) => {
    states.push(state);
    if (why !== undefined) reasons.push(why);
  });
  const submit = (message: OutgoingMessage, elsewhere = false, wanted = true) =>
    gate.submit(message, { wanted }, () => elsewhere);
  return { gate: { submit, abort: gate.abort }, states, reasons };
}

type Script = (message: OutgoingMessage, signal: AbortSignal) => Promise<Outcome> | Outcome;

export interface ScriptedCarrier extends Carrier {
  /** Ids of the messages it was given, in order. */
  readonly submitted: string[];
}

export function scriptedCarrier(name: string, script: Script): ScriptedCarrier {
  const submitted: string[] = [];
  return {
    name,
    concurrency: 10,
    submitted,
    start() {},
    submit(message, { signal }) {
      submitted.push(message.id);
      return script(message, signal);
    },
    check: async () => ({ ok: true, detail: '' }),
    async stop() {},
  };
}

/** Answers each submit with the next outcome, and repeats the last one. */
export function inTurn(...outcomes: readonly [Outcome, ...Outcome[]]): Script {
  const [first, ...rest] = outcomes;
  let next = first;
  return () => {
    const outcome = next;
    next = rest.shift() ?? next;
    return outcome;
  };
}

/** Never answers, and ignores its signal. */
export const hang: Script = () => new Promise<Outcome>(() => {});

export function messageWith(wanted: Partial<OutgoingMessage> = {}): OutgoingMessage {
  return {
    id: 'ver_1',
    accountId: 'acc_1',
    test: false,
    channel: 'sms',
    destination: { address: '+4915112345678', kind: 'e164', country: 'DE' },
    code: '482913',
    text: '482913 is your code',
    locale: 'en',
    expiresAt: Date.now() + 600_000,
    ...wanted,
  };
}

/** Metrics that keep the names of what it was told, with the carrier or the outcome where there is one. */
export function rememberingMetrics(): DeliveryMetrics & { readonly told: string[] } {
  const told: string[] = [];
  const note =
    (name: string, position: number) =>
    (...facts: readonly (string | number | undefined)[]) =>
      void told.push(`${name} ${facts[position]}`);
  return {
    told,
    requested: note('requested', 1),
    attempted: note('attempted', 1),
    submitted: note('submitted', 2),
    delivered: note('delivered', 2),
    undelivered: note('undelivered', 2),
    confirmed: note('confirmed', 2),
    failed: note('failed', 1),
    breaker: note('breaker', 1),
    erred: note('erred', 1),
    dismissed: note('dismissed', 0),
    unusable: note('unusable', 1),
    queueDepth: note('depth', 0),
  };
}

/** A queue that holds nothing and takes whatever it is told, but for what a test wants otherwise. */
export function emptyQueue(wanted: Partial<DeliveryQueue>): DeliveryQueue {
  return {
    claim: async () => [],
    renew: async () => new Set(),
    reserveMore: async () => 'reserved',
    settle: async () => [],
    receive: async () => ({ kind: 'early' }),
    depth: async () => 0,
    ...wanted,
  };
}

interface DispatcherWishes {
  readonly queue: DeliveryQueue;
  readonly gateOptions?: (carrier: Carrier) => Partial<GateOptions>;
  readonly clock?: Clock;
  /** Its own looks into the queue, apart from what gates and rounds wait for. */
  readonly dispatcherClock?: Clock;
  readonly open?: DispatcherDeps['open'];
  readonly nextFallbackStep?: RoundConfiguration['nextFallbackStep'];
  readonly findLack?: RoundConfiguration['findLack'];
  readonly capOf?: RoundConfiguration['capOf'];
  /** What is in effect each time that somebody looks. */
  readonly inEffect?: (first: RoundConfiguration) => RoundConfiguration;
  readonly lease?: number;
  readonly capacity?: number;
}

/** A dispatcher under way, before the carriers in their order. */
export function startDispatcher(
  carriers: readonly Carrier[],
  {
    queue,
    gateOptions = () => ({}),
    clock = SYSTEM_CLOCK,
    dispatcherClock = clock,
    open = ({ id, accountId, expiresAt }) => messageWith({ id, accountId, expiresAt }),
    nextFallbackStep = () => undefined,
    findLack = () => undefined,
    capOf = () => undefined,
    inEffect = (first) => first,
    lease = LEASE,
    capacity = 100,
  }: DispatcherWishes,
) {
  /** Each change of a breaker. */
  const states: string[] = [];
  const logged: string[] = [];
  /** Budgets without room. */
  const full: string[] = [];
  const deliveryMetrics = rememberingMetrics();
  const gates = carriers.map((carrier) =>
    createGate(carrier, { ...OPEN_GATE, clock, ...gateOptions(carrier) }, (state) =>
      states.push(`${carrier.name} ${state}`),
    ),
  );
  const first: RoundConfiguration = {
    clock,
    random: SYSTEM_RANDOM,
    currency: 'EUR',
    // Messages name the carriers they may go to; all of them if they name none.
    choose: ({ accountId }) => {
      const own = gates.filter(({ name }) => name === accountId);
      return (own.length > 0 ? own : gates).map((gate) => ({ gate, why: null }));
    },
    costOf: () => 0,
    nextFallbackStep,
    findLack,
    capOf,
    recipientTag: (address) => `tag of ${address}`,
    entered: () => {},
    left: () => {},
  };
  const dispatcher = new Dispatcher(
    {
      clock: dispatcherClock,
      queue,
      gates,
      get roundConfiguration() {
        return inEffect(first);
      },
      open,
      deliveryMetrics,
      budgetWatch: { exhausted: ({ kind }) => full.push(kind) },
      log: (_level, message, fields) => logged.push(`${message} ${JSON.stringify(fields)}`),
    },
    { lease, capacity },
  );
  const receive = createReceive({
    ...{ clock, queue, deliveryMetrics },
    currency: () => 'EUR',
    recipientTags: (address) => [`tag of ${address}`],
  });
  dispatcher.start();
  return { dispatcher, receive, deliveryMetrics, states, logged, full };
}

type TestStore = DeliveryQueue & Pick<VerificationStore, 'issue'> & { close(): Promise<void> };

/** A real store, whose dispatchers are stopped before it. */
export async function openRig() {
  // By a name that is put together: delivery itself must not know what stands behind its port.
  const { openSqliteStore } = await import(new URL('../store/sqlite/store.ts', import.meta.url).href);
  const dataDir = await mkdtemp(join(tmpdir(), 'countersign-delivery-'));
  const store: TestStore = await openSqliteStore({ dataDir, exclusive: true, ...RULES });
  const dispatchers: Dispatcher[] = [];

  /** Answers when it was. */
  async function issue({ id, accountId, expiresAt }: OutgoingMessage, leaseUntil?: number): Promise<number> {
    const createdAt = Date.now();
    const verification = { id, accountId, createdAt, expiresAt, leaseUntil: leaseUntil ?? createdAt + LEASE };
    const outcome = await store.issue(newVerification(verification));
    if (outcome.kind !== 'issued') throw new Error(outcome.kind);
    return createdAt;
  }

  return {
    store,
    dispatch(carriers: readonly Carrier[], wishes: Partial<DispatcherWishes> = {}) {
      const started = startDispatcher(carriers, { queue: store, dispatcherClock: HASTY_CLOCK, ...wishes });
      dispatchers.push(started.dispatcher);
      return started;
    },
    issue,
    /** Writes a verification, and hands it over in memory, as a request does. */
    async send(dispatcher: Dispatcher, message: OutgoingMessage, leaseUntil?: number): Promise<void> {
      const createdAt = await issue(message, leaseUntil);
      dispatcher.accept(message, createdAt, performance.now(), NO_FUNDS);
    },
    /** Resolves when nothing is left to send. */
    emptied: () => until(async () => (await store.depth()) === 0),
    async [Symbol.asyncDispose]() {
      await Promise.all(dispatchers.map((each) => each.stop(0)));
      await store.close();
      await rm(dataDir, { recursive: true });
    },
  };
}

/** A message as the queue gives it out for the second time. */
export function claimedAgain(message: OutgoingMessage): Delivery {
  const { id, accountId, test, channel, expiresAt } = message;
  const sealed = { destinationSealed: 'sealed', codeSealed: 'sealed', detailsSealed: null, settings: null };
  const funds = { keyId: 'key_1', reservation: null };
  const leased = { fence: 1, rounds: 0, leg: 0, spentCarriers: [], awaited: [] };
  return {
    id,
    accountId,
    test,
    channel,
    country: 'DE',
    ...sealed,
    createdAt: Date.now(),
    expiresAt,
    ...leased,
    ...funds,
  };
}

/** Lets everything that can go on without a timer go on. */
export async function settled(): Promise<void> {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
}

/** Asks until it holds; gives up long after any delivery must have been made. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + 30_000;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error('waited in vain');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
