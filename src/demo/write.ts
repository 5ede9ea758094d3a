/** Writes codes into the store as the service would have, each step at its own time. */
import { lookAtPerson } from '../core/body/signals.ts';
import type { Random } from '../core/seams/random.ts';
import { SECOND_MS } from '../core/seams/spans.ts';
import type { Keyring } from '../core/secrets/keyring.ts';
import { sealField } from '../core/secrets/sealed-field.ts';
import type { Attempt, NextStep } from '../core/sending/delivery.ts';
import { type CodePolicy, drawCode } from '../core/verification/code.ts';
import type { NewVerification } from '../core/verification/verification.ts';
import { mintVerificationId } from '../core/verification/verifier.ts';
import type { Store } from '../store/port.ts';
import type { DemoAccount } from './account.ts';
import { priceAtDemo } from './carriers.ts';
import type { DemoAttempt } from './fate.ts';
import type { PlannedCode } from './week.ts';

interface WriteDeps {
  readonly store: Store;
  readonly keyring: Keyring;
  readonly code: CodePolicy;
}

/** The store takes so many in one transaction, with one flush to the disk. */
const AT_ONCE = 1_000;
const LEASE_MS = 15 * SECOND_MS;

/** By what became of the last attempt: nothing of the week is left to be sent. */
const NEXT: Readonly<Record<Attempt['outcome'], NextStep>> = {
  accepted: { kind: 'submitted', failover: false },
  delivered: { kind: 'delivered', inbox: true },
  temporary: { kind: 'failed' },
  permanent: { kind: 'failed' },
};

/** In order of time: the limits of keys count so. */
export async function writeCodes(
  deps: WriteDeps,
  account: DemoAccount,
  codes: readonly PlannedCode[],
): Promise<void> {
  for (let first = 0; first < codes.length; first += AT_ONCE) {
    const written = codes.slice(first, first + AT_ONCE).map((code) => prepare(deps, account, code));
    for (const step of ['issue', 'settle', 'receive', 'end'] as const)
      await Promise.all(written.map((each) => each[step]()));
  }
}

/** What the store is told of one code, step by step. */
function prepare({ store, keyring, code: policy }: WriteDeps, account: DemoAccount, planned: PlannedCode) {
  const { random } = store;
  const { at, number, country, channel, attempts, guesses, cancelledAt } = planned;
  const id = mintVerificationId({ ...random, orderedUuid: () => uuidOf(at, random) });
  const code = drawCode(random, policy);
  const { clientNetwork, signals } = lookAtPerson(keyring, account.id, { ip: planned.ip }, 'drawn');
  const scope = { accountId: account.id, test: planned.key === 'staging' };
  const price = (carrier: string) =>
    priceAtDemo(carrier, { channel, destination: { address: number, country } }) ?? 0;
  const reference = random.bytes(8).toString('hex');
  const tag = keyring.recipientTag(number);
  const verification: NewVerification = {
    ...{ ...scope, id, keyId: account.keys[planned.key], channel, country },
    destinationHash: keyring.destinationHash(account.id, scope.test, number).current,
    earlierDestinationHashes: [],
    destinationSealed: sealField(keyring, number, id, 'destination'),
    codeMac: keyring.newCodeMac(id, code),
    codeSealed: sealField(keyring, code, id, 'code'),
    guesses: policy.guesses,
    createdAt: at,
    expiresAt: at + policy.validFor,
    leaseUntil: at + LEASE_MS,
    idempotency: null,
    clientNetwork,
    detailsSealed: null,
    brought: false,
    signals,
  };

  const attemptOf = ({ receipt: _, ...attempt }: DemoAttempt): Attempt => {
    const isTaken = attempt.outcome === 'accepted';
    return {
      ...{ ...attempt, channel: null },
      reference: isTaken ? reference : null,
      recipientTag: isTaken ? tag : null,
      cost: isTaken ? price(attempt.carrier) : 0,
    };
  };

  return {
    async issue(): Promise<void> {
      const { kind } = await store.issue(verification);
      if (kind !== 'issued') throw new Error(`a code of the demo was refused: ${kind}`);
    },
    async settle(): Promise<void> {
      const last = attempts.at(-1);
      const taken = attempts.filter(({ outcome }) => outcome === 'accepted');
      await store.settle({
        ...{ id, fence: 0, attempts: attempts.map(attemptOf), next: NEXT[last?.outcome ?? 'permanent'] },
        charged: taken.map(({ carrier }) => carrier),
      });
    },
    async receive(): Promise<void> {
      for (const { carrier, receipt } of attempts) {
        if (receipt === undefined) continue;
        const named = { carrier, references: [reference], recipientTags: [tag] };
        await store.receive({ ...named, ...receipt, price: null, currency: null, network: null });
      }
    },
    /** What the person types, or that the application takes it back. */
    async end(): Promise<void> {
      if (cancelledAt !== undefined) await store.cancel({ ...scope, id, now: cancelledAt });
      for (const { at: now, isRight } of guesses) {
        const codeMac = keyring.codeMac(id, isRight ? code : wrong(code)).current;
        await store.confirm({ ...scope, id, codeMac, earlierCodeMacs: [], now });
      }
    },
  };
}

/** Two digits in the other order, or another last one. */
function wrong(code: string): string {
  const [first = '', second = ''] = code;
  return first === second
    ? `${code.slice(0, -1)}${(Number(code.at(-1)) + 1) % 10}`
    : second + first + code.slice(2);
}

/** As RFC 9562, version 7, makes one at that time: lists are in the order of ids. */
function uuidOf(at: number, random: Random): string {
  const time = at.toString(16).padStart(12, '0');
  const drawn = random.uuid();
  return `${time.slice(0, 8)}-${time.slice(8)}-7${drawn.slice(15)}`;
}
