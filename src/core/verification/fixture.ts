/** A verifier for tests, whose store answers as a test says, with records of what it received and passed on. */

import type { FindBudgets } from '../budgets/budgets.ts';
import { BASIC_CHANNELS } from '../destination/channel.ts';
import { USUAL_SCREENS } from '../destination/never-sent.ts';
import { SYSTEM_CLOCK } from '../seams/clock.ts';
import { createManualClock, type ManualClock } from '../seams/clock-fixture.ts';
import { SYSTEM_RANDOM } from '../seams/random.ts';
import { Keyring } from '../secrets/keyring.ts';
import type { OutgoingMessage } from '../sending/carrier.ts';
import type { DailyCap } from '../sending/daily-cap.ts';
import type { DeliveryMetrics } from '../sending/delivery-metrics.ts';
import type { RouteFinder } from '../sending/routing.ts';
import { AccountLimits } from './account-limits.ts';
import type { GuardPort } from './guard-port.ts';
import { createReopen } from './reopen.ts';
import type { Caller, RequestAnswer } from './request.ts';
import type {
  ConfirmOutcome,
  Guess,
  IdempotentReplay,
  IssueOutcome,
  NewVerification,
} from './verification.ts';
import { Verifier, type VerifierDeps } from './verifier.ts';

export const NUMBER = '+4915112345678';
export const LIVE = { keyId: 'key_1', accountId: 'acc_1', test: false };
export const TEST = { ...LIVE, test: true };
export const LIMIT = { max: 5, windowMs: 600_000 };

export interface VerifierRig {
  readonly clock: ManualClock;
  readonly keyring: Keyring;
  readonly verifier: Verifier;
  readonly reopen: ReturnType<typeof createReopen>;
  readonly issued: NewVerification[];
  readonly guesses: Guess[];
  /** What was looked for without being issued. */
  readonly looked: Parameters<VerifierDeps['store']['findReplay']>[0][];
  readonly handedOver: {
    readonly message: OutgoingMessage;
    readonly createdAt: number;
    readonly leasedSince: number;
  }[];
  /** What the metrics were told. */
  readonly told: string[];
  answerIssue: () => Promise<IssueOutcome>;
  /** What was asked for admission, with the price. */
  readonly admitted: { readonly verification: NewVerification; readonly price: number }[];
  answerAdmit: () => Promise<IssueOutcome>;
  answerConfirm: () => Promise<ConfirmOutcome>;
  foundReplay: IdempotentReplay | undefined;
  findRoute: RouteFinder;
  canSpeak: VerifierDeps['canSpeak'];
  cap: DailyCap | undefined;
  guardPort: GuardPort;
  findBudgets: FindBudgets;
  ask(destination?: string, caller?: Caller, idempotencyKey?: string): Promise<RequestAnswer>;
}

const createFunnel = (note: (name: string) => () => void): DeliveryMetrics => ({
  requested: note('requested'),
  attempted: note('attempted'),
  submitted: note('submitted'),
  delivered: note('delivered'),
  undelivered: note('undelivered'),
  confirmed: note('confirmed'),
  failed: note('failed'),
  breaker: note('breaker'),
  erred: note('erred'),
  dismissed: note('dismissed'),
  unusable: note('unusable'),
  queueDepth: note('depth'),
});

export const SILENT = createFunnel(() => () => {});

/** No account has other limits than the service. */
export const PLAIN_LIMITS = new AccountLimits(
  { sendsPerDestination: [LIMIT], failedGuessesPerDestination: [LIMIT] },
  {},
);

/** Lets everything pass. */
export const OFF_DUTY: GuardPort = {
  judge: () => ({ passes: true, written: () => {}, notWritten: () => {} }),
  refusedByRule: () => {},
  confirmed: () => {},
  mismatched: () => {},
  weigh: () => 0,
  judged: () => {},
};

/** A verifier with one route and one carrier that sends nothing, unless `deps` says otherwise. */
export function createVerifier(
  deps: Pick<VerifierDeps, 'keyring' | 'store'> & Partial<VerifierDeps>,
): Verifier {
  return new Verifier({
    clock: SYSTEM_CLOCK,
    random: SYSTEM_RANDOM,
    screens: USUAL_SCREENS,
    countries: [],
    channels: BASIC_CHANNELS,
    findRoute: () => ({ ok: true, route: { channel: 'sms', carriers: ['smsc'] } }),
    canSpeak: () => true,
    capOf: () => undefined,
    guardPort: OFF_DUTY,
    findBudgets: () => undefined,
    findLack: () => undefined,
    budgetWatch: { nearlyUsed: () => {}, exhausted: () => {} },
    handOver: () => {},
    findNumberHashes: async () => undefined,
    deliveryMetrics: SILENT,
    accountLimits: PLAIN_LIMITS,
    code: { length: 6, alphabet: 'digits', validFor: 600_000, guesses: 5 },
    endings: { length: 4, store: { take: async () => true, giveBack: async () => {} }, noneFree: () => {} },
    messages: { brand: 'Acme' },
    shownLimit: LIMIT,
    lease: 15_000,
    ...deps,
  });
}

export function createVerifierRig(
  guard: Partial<
    Pick<VerifierDeps, 'countries' | 'channels' | 'screens' | 'messages' | 'code' | 'lookups' | 'endings'>
  > = {},
): VerifierRig {
  // In the middle of a rotation, where there are two hashes of everything.
  const keyring = new Keyring('a secret for these tests only, yes', 'the secret before, long enough for all');
  const told: string[] = [];
  const note =
    (name: string) =>
    (...facts: unknown[]) =>
      void told.push(`${name} ${facts.slice(0, 3).join(' ')}`);
  const deliveryMetrics = createFunnel(note);
  const clock = createManualClock();
  const reopen = createReopen(keyring, { brand: 'Acme' }, 600_000);
  const verifier = createVerifier({
    clock,
    store: {
      issue: (verification) => {
        rig.issued.push(verification);
        return rig.answerIssue();
      },
      admit: (verification, price) => {
        rig.admitted.push({ verification, price });
        return rig.answerAdmit();
      },
      findReplay: async (request) => {
        rig.looked.push(request);
        return rig.foundReplay;
      },
      confirm: (guess) => {
        rig.guesses.push(guess);
        return rig.answerConfirm();
      },
    },
    keyring,
    channels: BASIC_CHANNELS,
    findRoute: (...asked) => rig.findRoute(...asked),
    canSpeak: (...asked) => rig.canSpeak(...asked),
    capOf: () => rig.cap,
    guardPort: {
      ...OFF_DUTY,
      judge: (request) => rig.guardPort.judge(request),
      refusedByRule: (...refused) => rig.guardPort.refusedByRule(...refused),
      confirmed: (typed, address) => rig.guardPort.confirmed(typed, address),
      mismatched: (typed) => {
        told.push(`mismatched ${typed.country} ${typed.clientNetwork}`);
        rig.guardPort.mismatched(typed);
      },
    },
    findBudgets: (asked) => rig.findBudgets(asked),
    budgetWatch: {
      nearlyUsed: ({ kind }) => told.push(`nearly used ${kind}`),
      exhausted: ({ kind }) => told.push(`exhausted ${kind}`),
    },
    ...guard,
    handOver: (message, createdAt, leasedSince) => rig.handedOver.push({ message, createdAt, leasedSince }),
    deliveryMetrics,
  });
  const rig: VerifierRig = {
    clock,
    keyring,
    verifier,
    reopen,
    told,
    issued: [],
    guesses: [],
    looked: [],
    handedOver: [],
    answerIssue: async () => ({ kind: 'issued' }),
    admitted: [],
    answerAdmit: async () => ({ kind: 'issued' }),
    answerConfirm: async () => ({ kind: 'unknown' }),
    foundReplay: undefined,
    findRoute: () => ({ ok: true, route: { channel: 'sms', carriers: ['smsc'] } }),
    canSpeak: () => true,
    cap: undefined,
    guardPort: OFF_DUTY,
    findBudgets: () => undefined,
    ask: (destination = NUMBER, caller = LIVE, idempotencyKey) =>
      verifier.request(caller, { destination, channel: 'sms', idempotencyKey }),
  };
  return rig;
}
