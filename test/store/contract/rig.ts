/** What a store provides for the contract, and the building blocks of its tests. */
import type { TestContext } from 'node:test';
import { StoreDamaged, StoreUnavailable } from '../../../src/core/errors/store-failure.ts';
import type { Attempt, NextStep, ReceiptRecord, Settlement } from '../../../src/core/sending/delivery.ts';
import type { Limits } from '../../../src/core/verification/limits.ts';
import type {
  ConfirmOutcome,
  Guess,
  IssueOutcome,
  NewVerification,
} from '../../../src/core/verification/verification.ts';
import { macOf, newVerification, unique } from '../../../src/core/verification/verification-fixture.ts';
import type { Store } from '../../../src/store/port.ts';

export { seenByPeople } from '../../../src/core/verification/scope.ts';
export {
  LEASE,
  macOf,
  newVerification,
  unique,
  VALID_FOR,
} from '../../../src/core/verification/verification-fixture.ts';

export interface Rules {
  readonly limits: Limits;
  /** In ms. */
  readonly retention: {
    readonly verifications: number;
    readonly simulatorMessages: number;
    readonly events: number;
    readonly signals: number;
    readonly statistics: number;
  };
}

/** A store without data. */
export interface OpenedStore {
  readonly store: Store;
  /** Closes the store and opens it again on the same data, as a restart does. */
  reopen(): Promise<Store>;
  /** Another connection to the same data, if the store allows one; closed by `dispose`. */
  second?(): Promise<Store>;
  /** Closes everything and leaves nothing behind. */
  dispose(): Promise<void>;
}

export type OpenStore = (rules: Rules) => Promise<OpenedStore>;

export const SECOND = 1_000;
export const MINUTE = 60_000;
export const HOUR = 3_600_000;
export const DAY = 86_400_000;

/** Rules that no test reaches by accident. */
export const LAX: Rules = {
  limits: {
    sendsPerDestination: [{ max: 1_000, windowMs: 10 * MINUTE }],
    failedGuessesPerDestination: [{ max: 1_000, windowMs: DAY }],
    requestsPerKey: [{ max: 10_000, windowMs: SECOND }],
  },
  retention: {
    ...{ verifications: 30 * DAY, simulatorMessages: DAY, events: 7 * DAY, signals: 7 * DAY },
    statistics: 1_095 * DAY,
  },
};

export function withLimits(limits: Partial<Limits>): Rules {
  return { ...LAX, limits: { ...LAX.limits, ...limits } };
}

/** A separate store for the test, disposed of afterwards. */
export async function openFor(t: TestContext, open: OpenStore, rules: Rules = LAX): Promise<OpenedStore> {
  const opened = await open(rules);
  t.after(() => opened.dispose());
  return opened;
}

/** A guess at a verification, a second after it was made unless said otherwise. */
export function guessAt(
  { id, accountId, test, createdAt }: NewVerification,
  code: 'right' | 'wrong',
  now = createdAt + SECOND,
): Guess {
  return { id, accountId, test, codeMac: macOf(id, code), earlierCodeMacs: [], now };
}

/** Issues a verification; a refusal is an error. */
export async function issueOne(store: Store, wanted: Partial<NewVerification> = {}) {
  const verification = newVerification(wanted);
  const outcome = await store.issue(verification);
  if (outcome.kind !== 'issued') throw new Error(`expected an issued verification, got ${outcome.kind}`);
  return verification;
}

const AT_A_TIME = 250;

/** Calls that need not come at once: a store lets none wait for long, and on a busy machine thousands take longer than that. */
export async function someAtATime<Item, Result>(
  items: readonly Item[],
  call: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let from = 0; from < items.length; from += AT_A_TIME) {
    results.push(...(await Promise.all(items.slice(from, from + AT_A_TIME).map(call))));
  }
  return results;
}

/** Steps that need not be one transaction, for the same reason. */
export async function transactInParts(
  store: Pick<Store, 'transact'>,
  steps: Parameters<Store['transact']>[0],
): Promise<void> {
  for (let from = 0; from < steps.length; from += AT_A_TIME) {
    await store.transact(steps.slice(from, from + AT_A_TIME));
  }
}

const MOST_TIMES = 30;

/**
 * Asks again when the store had no time for a call, and so has done nothing: of hundreds that come at once, a busy machine
 * does not get to the last in time.
 */
export async function untilServed<Result>(call: () => Promise<Result>): Promise<Result> {
  for (let times = 1; ; times++) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || error instanceof StoreDamaged || times === MOST_TIMES)
        throw error;
    }
  }
}

/** How often each kind of outcome came. */
export function tally(outcomes: readonly { readonly kind: string }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind } of outcomes) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

export function kindsOf(outcomes: readonly IssueOutcome[]): string[] {
  return outcomes.map(({ kind }) => kind);
}

/** An attempt that the carrier accepted a second after the request. */
export function attempt(startedAt: number, wanted: Partial<Attempt> = {}): Attempt {
  return {
    carrier: 'smsc',
    channel: null,
    startedAt,
    endedAt: startedAt + 20,
    outcome: 'accepted',
    reference: null,
    recipientTag: 'tag',
    reason: null,
    choice: null,
    cost: 0,
    ...wanted,
  };
}

export const FAILOVER: NextStep = { kind: 'submitted', failover: true };
export const DELIVERED: NextStep = { kind: 'delivered', inbox: false };
export const SUBMITTED: NextStep = { kind: 'submitted', failover: false };

/** What the node that wrote a verification reports after its first round: fence 0. */
export function settlement(
  { id, createdAt }: NewVerification,
  next: NextStep,
  attempts: readonly Partial<Attempt>[] = [],
  fence = 0,
): Settlement {
  const made = attempts.map((wanted) => attempt(createdAt + SECOND, wanted));
  const taken = made.filter(({ outcome }) => outcome === 'accepted' || outcome === 'delivered');
  return { id, fence, next, attempts: made, charged: taken.map(({ carrier }) => carrier) };
}

export function receipt(at: number, wanted: Partial<ReceiptRecord> = {}): ReceiptRecord {
  return {
    carrier: 'smsc',
    references: [unique('ref')],
    recipientTags: [],
    status: 'delivered',
    reason: null,
    at,
    price: null,
    currency: null,
    network: null,
    ...wanted,
  };
}

/** A wrong guess at a verification whose country and network nobody chose. */
export const mismatch = (attemptsRemaining: number): ConfirmOutcome => ({
  ...{ kind: 'mismatch', attemptsRemaining, country: 'DE', clientNetwork: null },
});
