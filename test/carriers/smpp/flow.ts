/** The whole way of messages: the queue of a real store, the dispatcher, gates with default settings, carriers. */
import { SYSTEM_CLOCK } from '../../../src/core/seams/clock.ts';
import type { Carrier, OutgoingMessage } from '../../../src/core/sending/carrier.ts';
import type { Attempt } from '../../../src/core/sending/delivery.ts';
import { messageWith, openRig } from '../../../src/delivery/fixture.ts';
import { until } from './rig.ts';

export interface Flow extends AsyncDisposable {
  /** Requests a code for each of these numbers, and returns the ids of the messages in the same order. */
  send(digits: readonly string[], text?: string): Promise<string[]>;
  /** The attempts at a message so far, as carrier and outcome or reason. */
  triesOf(id: string): string[];
  /** Ids of messages that a carrier took, in order. */
  readonly taken: readonly string[];
  /** Each change of a breaker. */
  readonly states: readonly string[];
  /** Resolves when nothing is left to send. Rejects when that takes far too long. */
  emptied(): Promise<void>;
}

/** The carriers are tried in order. The caller starts and stops them. */
export async function startFlow(carriers: readonly Carrier[]): Promise<Flow> {
  const rig = await openRig();
  const { store } = rig;
  const taken: string[] = [];
  const tries = new Map<string, string[]>();
  const messages = new Map<string, OutgoingMessage>();
  const note = (id: string, { carrier, outcome, reason }: Attempt) => {
    tries.set(id, [...(tries.get(id) ?? []), `${carrier}: ${reason ?? outcome}`]);
    if (outcome === 'accepted') taken.push(id);
  };
  const { dispatcher, states } = rig.dispatch(carriers, {
    queue: {
      ...store,
      settle: (settlement) => {
        for (const attempt of settlement.attempts) note(settlement.id, attempt);
        return store.settle(settlement);
      },
    },
    gateOptions: ({ concurrency }) => ({
      concurrency,
      timeout: 10_000,
      breaker: { failures: 5, resetAfter: 10_000 },
    }),
    // Waits before it tries again are a part of what is tested.
    dispatcherClock: SYSTEM_CLOCK,
    open: ({ id }) => messages.get(id) ?? messageWith({ id }),
    capacity: 10_000,
  });

  async function send(number: string, text: string): Promise<string> {
    const id = `ver_${number}`;
    const destination = { address: `+${number}`, kind: 'e164', country: 'DE' } as const;
    const message = messageWith({ id, destination, text });
    messages.set(id, message);
    await rig.send(dispatcher, message);
    return id;
  }

  return {
    send: (digits, text = '482913 is your code') => Promise.all(digits.map((number) => send(number, text))),
    triesOf: (id) => tries.get(id) ?? [],
    taken,
    states,
    async emptied() {
      await until(async () => (await store.depth()) === 0, 60_000);
    },
    [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose](),
  };
}
