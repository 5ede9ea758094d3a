/** Messages on their whole way: the queue of a real store, the dispatcher, gates as configured by default, carriers. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Carrier, OutgoingMessage } from '../../../src/core/carrier.ts';
import { SYSTEM_CLOCK } from '../../../src/core/clock.ts';
import type { Attempt } from '../../../src/core/delivery.ts';
import { Dispatcher } from '../../../src/delivery/dispatcher.ts';
import { messageWith, rememberingFunnel } from '../../../src/delivery/fixture.ts';
import { createGate } from '../../../src/delivery/gate.ts';
import { openSqliteStore } from '../../../src/store/sqlite/store.ts';
import { until } from './rig.ts';

const LEASE = 60_000;
const RULES = {
  limits: { sendsPerDestination: [], failedGuessesPerDestination: [], requestsPerKey: [] },
  retention: { verifications: 86_400_000, simulatorMessages: 86_400_000, statistics: 86_400_000 },
};

export interface Flow extends AsyncDisposable {
  /** Requests a code for each of these numbers, and answers the ids of the messages, in their order. */
  send(digits: readonly string[], text?: string): Promise<string[]>;
  /** What was tried for a message so far, as carrier and outcome or reason. */
  triesOf(id: string): string[];
  /** Ids of messages that a carrier took, in order. */
  readonly taken: readonly string[];
  /** Each change of a breaker. */
  readonly states: readonly string[];
  /** Resolves when nothing is left to send. Rejects long after any delivery must have been made. */
  emptied(): Promise<void>;
}

/** The carriers are asked in their order; they are started and stopped by whoever made them. */
export async function startFlow(carriers: readonly Carrier[]): Promise<Flow> {
  const dataDir = await mkdtemp(join(tmpdir(), 'countersign-flow-'));
  const store = await openSqliteStore({ dataDir, exclusive: true, ...RULES });
  const states: string[] = [];
  const taken: string[] = [];
  const tries = new Map<string, string[]>();
  const messages = new Map<string, OutgoingMessage>();
  const note = (id: string, { carrier, outcome, reason }: Attempt) => {
    tries.set(id, [...(tries.get(id) ?? []), `${carrier}: ${reason ?? outcome}`]);
    if (outcome === 'accepted') taken.push(id);
  };
  const gates = carriers.map((carrier) =>
    createGate(
      carrier,
      {
        clock: SYSTEM_CLOCK,
        concurrency: carrier.concurrency,
        timeout: 10_000,
        breaker: { failures: 5, resetAfter: 10_000 },
      },
      (state) => states.push(`${carrier.name} ${state}`),
    ),
  );
  const open = (id: string) => messages.get(id) ?? messageWith({ id });
  const dispatcher = new Dispatcher(
    {
      clock: SYSTEM_CLOCK,
      queue: {
        claim: store.claim,
        renew: store.renew,
        receive: store.receive,
        depth: store.depth,
        settle: (settlement) => {
          for (const attempt of settlement.attempts) note(settlement.id, attempt);
          return store.settle(settlement);
        },
      },
      gates,
      choose: () => gates.map((gate) => ({ gate, why: null })),
      costOf: () => 0,
      open: ({ id }) => open(id),
      recipientTags: (address) => [`tag of ${address}`],
      funnel: rememberingFunnel(),
      log: () => {},
    },
    { lease: LEASE, capacity: 10_000 },
  );
  dispatcher.start();

  async function issue(id: string, address: string, text: string): Promise<void> {
    const createdAt = Date.now();
    const message = messageWith({ id, destination: { address, kind: 'e164', country: 'DE' }, text });
    messages.set(id, message);
    await store.issue({
      id,
      accountId: message.accountId,
      keyId: 'key',
      test: false,
      channel: 'sms',
      country: 'DE',
      destinationHash: id,
      previousDestinationHash: null,
      destinationSealed: 'sealed',
      codeMac: 'mac',
      codeSealed: 'sealed',
      guesses: 5,
      createdAt,
      expiresAt: message.expiresAt,
      leaseUntil: createdAt + LEASE,
      idempotency: null,
    });
    dispatcher.accept(message, createdAt, performance.now());
  }

  return {
    async send(digits, text = '482913 is your code') {
      const ids = digits.map((number) => `ver_${number}`);
      await Promise.all(digits.map((number, index) => issue(ids[index] ?? '', `+${number}`, text)));
      return ids;
    },
    triesOf: (id) => tries.get(id) ?? [],
    taken,
    states,
    async emptied() {
      await until(async () => (await store.depth()) === 0, 60_000);
    },
    async [Symbol.asyncDispose]() {
      await dispatcher.stop(0);
      await store.close();
      await rm(dataDir, { recursive: true });
    },
  };
}
