/** Stand-ins for delivery's tests: carriers that do as they are told, and a funnel that remembers. */
import type { Carrier, Outcome, OutgoingMessage } from '../core/carrier.ts';
import { SYSTEM_CLOCK } from '../core/clock.ts';
import type { Funnel } from '../core/funnel.ts';
import { createGate, type GateOptions } from './gate.ts';

export const ACCEPTED = { kind: 'accepted', reference: 'r1', receiptFollows: true } satisfies Outcome;
export const TEMPORARY = { kind: 'temporary', reason: 'busy' } satisfies Outcome;
export const PERMANENT = { kind: 'permanent', reason: 'refused' } satisfies Outcome;

export const OPEN_GATE: GateOptions = {
  clock: SYSTEM_CLOCK,
  concurrency: 10,
  timeout: 60_000,
  breaker: { failures: 1_000, resetAfter: 60_000 },
};

/** A gate before the carrier, with quick ways to ask, and what its breaker went through. */
export function gateOf(carrier: Carrier, options: Partial<GateOptions> = {}) {
  const states: string[] = [];
  const breaker = { failures: 3, resetAfter: 1_000 };
  const gate = createGate(carrier, { ...OPEN_GATE, breaker, ...options }, (state) => states.push(state));
  const submit = (message: OutgoingMessage, elsewhere = false, wanted = true) =>
    gate.submit(message, { wanted }, () => elsewhere);
  return { gate: { submit, abort: gate.abort }, states };
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
    channels: ['sms'],
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

/** Answers each submit with the next outcome, and the last one for ever. */
export function inTurn(...outcomes: readonly [Outcome, ...Outcome[]]): Script {
  const [first, ...rest] = outcomes;
  let next = first;
  return () => {
    const outcome = next;
    next = rest.shift() ?? next;
    return outcome;
  };
}

/** Never answers, not even its signal. */
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

/** A funnel that keeps the names of what it was told, with the carrier or the outcome where there is one. */
export function rememberingFunnel(): Funnel & { readonly told: string[] } {
  const told: string[] = [];
  const note =
    (name: string, position: number) =>
    (...facts: readonly (string | number)[]) =>
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
    queueDepth: note('depth', 0),
  };
}

/** Lets everything that can go on without a timer go on. */
export async function settled(): Promise<void> {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
}

/** Asks until it holds; gives up long after any delivery must have been made. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + 5_000;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error('waited in vain');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
