/**
 * What providers say of a number before a code is sent to it. Each question costs money, so it is asked last, when nothing else refuses
 * the request, and only what the account's rule goes by.
 */
import { type BudgetWatch, chargeOf } from '../budgets/budget.ts';
import { OutcomeUnknown, StoreUnavailable } from '../errors/store-failure.ts';
import { type NumberFacts, refusalBy, wantedBy } from '../lookups/facts.ts';
import type { LookupPermit, Lookups, NumberLookup } from '../lookups/lookup.ts';
import type { Clock } from '../seams/clock.ts';
import { SECOND_MS } from '../seams/spans.ts';
import type { Route } from '../sending/routing.ts';
import { NO_KEY } from './carrier-test.ts';
import { GUARDED_RETRY_MS, type GuardedRequest, type GuardPort } from './guard-port.ts';
import { inquire, lackingOf, type RuledNumber, ruledNumberOf, withAnswer } from './number-question.ts';
import type { Archive } from './reading/archive.ts';
import type { RequestCount } from './reading/inquiry.ts';
import { findFirst } from './repetition.ts';
import type { NumberRefused } from './request.ts';
import type { IssueOutcome, NewVerification, VerificationStore } from './verification.ts';

/** What is needed only where look-ups are configured. */
export interface LookupRoom {
  readonly lookups: Lookups;
  readonly records: Pick<Archive, 'lastConfirmed'> & RequestCount;
  /** Whether messages over the route leave the machine. */
  readonly leaves: (route: Route) => boolean;
}

export interface AskDeps extends LookupRoom {
  readonly store: Pick<VerificationStore, 'admit' | 'findReplay'>;
  readonly guardPort: Pick<GuardPort, 'refusedByRule'>;
  readonly budgetWatch: Pick<BudgetWatch, 'nearlyUsed'>;
  readonly clock: Pick<Clock, 'now'>;
}

export interface About extends RuledNumber {
  readonly request: GuardedRequest;
}

/** Why no code is sent, if a question or its price stands in the way. */
export type AskRefusal = Exclude<IssueOutcome, { readonly kind: 'issued' }> | NumberRefused;

/** Refusals that the store counts for the key itself. */
const COUNTED: ReadonlySet<IssueOutcome['kind']> = new Set(['exhausted', 'limited']);
/** By then a provider that was skipped may be tried again. */
const UNANSWERED_RETRY_MS = 5 * SECOND_MS;
/** What is reserved for a look-up, among the prices of carriers: no carrier's name has a space. */
const PRICE_NAME = 'a look-up';

/** Undefined if nobody wants to know anything of the number, or there is none. */
export function findAsked({ leaves }: LookupRoom, request: GuardedRequest): About | undefined {
  const ruled = ruledNumberOf(request, leaves);
  return ruled && { ...ruled, request };
}

/** Why the request is refused; undefined if it is not. */
export async function askAboutNumber(
  deps: AskDeps,
  verification: NewVerification,
  { rule, number, request }: About,
): Promise<AskRefusal | undefined> {
  const { lookups, records, guardPort, budgetWatch, clock } = deps;
  const { keyId } = verification;
  if (lookups.that(verification.country, wantedBy(rule)).length === 0) return undefined;
  return await lookups.inTurn(verification.destinationHash, async () => {
    const { question, needed, able } = await inquire(deps, { rule, number }, verification);
    let known: NumberFacts = {};
    let isPaid = false;
    const unanswered = new Set<keyof NumberFacts>();
    /** What cost money counts for the key, as a request that is issued does. */
    const countPaid = async (): Promise<void> => {
      if (isPaid && keyId !== NO_KEY) await unsent(records.takeRequest(keyId, clock.now()));
    };
    /** Only who was not admitted may still repeat a request that was issued. */
    const unlessRepeated = async (refused: NumberRefused, tell: () => void): Promise<AskRefusal> => {
      const first = isPaid ? undefined : await findFirst(deps, verification);
      if (first !== undefined) return first;
      await countPaid();
      tell();
      return refused;
    };

    for (const lookup of able) {
      const lacking = lackingOf(lookup, needed, known);
      if (lacking.length === 0) continue;
      let answer = lookup.recall(verification.destinationHash, question);
      if (answer === undefined) {
        const permit = lookup.permit();
        const admission = permit && (await admit(deps, verification, lookup, permit));
        if (admission !== undefined && admission.kind !== 'issued') {
          if (!COUNTED.has(admission.kind)) await countPaid();
          return admission;
        }
        for (const index of admission?.nearlyUsed ?? [])
          budgetWatch.nearlyUsed(chargeOf(verification.reservation, index));
        isPaid ||= permit !== undefined;
        answer = permit === undefined ? 'failed' : await permit.ask(verification.destinationHash, question);
      }
      if (answer === 'failed') {
        if (lookup.failsClosed) for (const fact of lacking) unanswered.add(fact);
        continue;
      }
      known = withAnswer(known, answer);
      // Another that does not know says nothing in place of one that did not answer.
      for (const fact of lacking) if (known[fact] !== undefined) unanswered.delete(fact);
      const refusal = refusalBy(rule, known);
      if (refusal !== undefined) {
        const guarded = { kind: 'guarded', retryAfterMs: GUARDED_RETRY_MS } as const;
        return await unlessRepeated(guarded, () => guardPort.refusedByRule(request, refusal));
      }
    }
    if (unanswered.size === 0) return undefined;
    return await unlessRepeated({ kind: 'unanswered', retryAfterMs: UNANSWERED_RETRY_MS }, () => {});
  });
}

/** Pays for a question, if nothing refuses the request. Who is not admitted asks nobody. */
async function admit(
  { store }: AskDeps,
  verification: NewVerification,
  { price }: NumberLookup,
  permit: LookupPermit,
): Promise<IssueOutcome> {
  let outcome: IssueOutcome | undefined;
  try {
    outcome = await unsent(store.admit(withPrice(verification, price), price));
    return outcome;
  } finally {
    if (outcome?.kind !== 'issued') permit.giveBack();
  }
}

/** Whether or not it was done, no code was issued with it: a client that asks again gets no second one. */
async function unsent<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw error instanceof OutcomeUnknown
      ? new StoreUnavailable('a question about a number could not be settled', { cause: error })
      : error;
  }
}

function withPrice(verification: NewVerification, price: number): NewVerification {
  const { reservation } = verification;
  if (reservation === undefined) return verification;
  const prices = { ...reservation.prices, [PRICE_NAME]: price };
  return { ...verification, reservation: { ...reservation, prices } };
}
