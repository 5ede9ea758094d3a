/** What would be asked about a number, and whom. The service goes by it when it asks, and the portal when it explains. */
import { telephoneOf } from '../destination/telephone.ts';
import { type NumberFact, type NumberFacts, type NumberRule, wantedBy } from '../lookups/facts.ts';
import type { Lookups, NumberLookup, NumberQuestion } from '../lookups/lookup.ts';
import type { Clock } from '../seams/clock.ts';
import type { Route } from '../sending/routing.ts';
import type { GuardedRequest } from './guard-port.ts';
import type { Archive } from './reading/archive.ts';
import type { NewVerification } from './verification.ts';

/** A number that an account goes by a rule about. */
export interface RuledNumber {
  readonly rule: NumberRule;
  /** In E.164. */
  readonly number: string;
}

/** Undefined if nobody wants to know anything of the number, or there is none. `leaves`: whether messages over the route leave the machine. */
export function ruledNumberOf(
  { caller, destination, route }: Pick<GuardedRequest, 'caller' | 'destination' | 'route'>,
  leaves: (route: Route) => boolean,
): RuledNumber | undefined {
  const rule = caller.settings?.refuse;
  if (!rule || destination.kind === 'sip' || !leaves(route)) return undefined;
  return { rule, number: telephoneOf(destination.address) };
}

export interface NumberInquiry {
  readonly question: NumberQuestion;
  /** What has to be known to go by the rule. */
  readonly needed: readonly NumberFact[];
  /** Those that can tell any of it, in the order in which they are asked. */
  readonly able: readonly NumberLookup[];
}

interface InquiryDeps {
  readonly lookups: Pick<Lookups, 'that'>;
  readonly records: Pick<Archive, 'lastConfirmed'>;
  readonly clock: Pick<Clock, 'now'>;
}

type AskedAbout = Pick<
  NewVerification,
  'accountId' | 'country' | 'destinationHash' | 'earlierDestinationHashes'
>;

export async function inquire(
  { lookups, records, clock }: InquiryDeps,
  { rule, number }: RuledNumber,
  { accountId, country, destinationHash, earlierDestinationHashes }: AskedAbout,
): Promise<NumberInquiry> {
  const wanted = wantedBy(rule);
  // As far back as verifications are kept.
  const hashes = [destinationHash, ...earlierDestinationHashes];
  const confirmedAt = wanted.includes('recycled')
    ? await records.lastConfirmed({ accountId, test: false }, hashes, clock.now())
    : null;
  // A number that was never confirmed cannot have gone to somebody else since.
  const needed = wanted.filter((fact) => fact !== 'recycled' || confirmedAt !== null);
  const question: NumberQuestion = {
    number,
    swappedWithinHours: rule.swappedWithinHours ?? undefined,
    portedWithinHours: rule.portedWithinHours ?? undefined,
    confirmedAt: confirmedAt ?? undefined,
  };
  return { question, needed, able: lookups.that(country, needed) };
}

/** What the look-up can tell that those before it did not; nobody is asked for nothing. */
export const lackingOf = (
  { tells }: Pick<NumberLookup, 'tells'>,
  needed: readonly NumberFact[],
  known: NumberFacts,
): readonly NumberFact[] => needed.filter((fact) => known[fact] === undefined && tells.has(fact));

/** Of several that know a fact, the first is believed. */
export function withAnswer(known: NumberFacts, answer: NumberFacts): NumberFacts {
  const before = Object.entries(known).filter(([, value]) => value !== undefined);
  return { ...answer, ...Object.fromEntries(before) };
}
