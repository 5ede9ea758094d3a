/** What the verifier asks of the guard, which stands before the carriers. */

import { isEvidence, type Judged, readSignals } from '../body/signals.ts';
import type { Channel } from '../destination/channel.ts';
import type { Destination } from '../destination/destination.ts';
import type { FraudVerdict, GivenVerdict, VerdictWeight } from '../guarding/verdict.ts';
import type { RefusedByRule } from '../lookups/facts.ts';
import type { Route } from '../sending/routing.ts';
import type { Caller } from './request.ts';
import type { CodeRequester } from './verification.ts';

/** A live request whose message would go over this route. */
export interface GuardedRequest {
  readonly caller: Caller;
  readonly channel: Channel;
  readonly destination: Destination;
  readonly route: Route;
  readonly clientNetwork: string | null;
  /** Hash of the person's device; undefined if the client did not say. */
  readonly device?: string | undefined;
  readonly judged: Judged;
}

/** A live code that somebody typed. */
export interface TypedCode {
  readonly caller: Caller;
  readonly country: string;
  readonly clientNetwork: string | null;
  readonly device?: string | undefined;
  readonly isEvidence: boolean;
}

/** A live code of which its account says what it was. */
export interface JudgedCode extends Pick<TypedCode, 'caller' | 'country' | 'device' | 'isEvidence'> {
  readonly isConfirmed: boolean;
  /** Unix ms. */
  readonly createdAt: number;
}

export type GuardVerdict = GuardPassed | GuardRefused;

export interface GuardPassed {
  readonly passes: true;
  /** It counts as sent from now on, so that of many requests at once each sees those before it; unless it is not written. */
  written(): void;
  notWritten(): void;
}

interface GuardRefused {
  readonly passes: false;
  /** It was refused: it does not repeat a request that was written. Until then the question has changed nothing. */
  refused(): void;
}

/** Everything is answered from memory, at once. */
export interface GuardPort {
  judge(request: GuardedRequest): GuardVerdict;
  /** The account's rule about numbers refused it, by what a look-up said. Nothing is learnt from that; it is only written down. */
  refusedByRule(request: GuardedRequest, refusal: RefusedByRule): void;
  confirmed(typed: TypedCode, address: string): void;
  mismatched(typed: TypedCode): void;
  /** What a verdict would count. Nothing is learnt from the question. */
  weigh(code: JudgedCode, verdict: FraudVerdict): VerdictWeight;
  /** One was given, in place of an earlier one or of none. */
  judged(code: JudgedCode, before: GivenVerdict | null, given: GivenVerdict | null): void;
}

/** The same for every refusal: when to come back would tell an attacker which evidence refused. */
export const GUARDED_RETRY_MS = 60_000;

/** What the store says of who asked for a code that somebody typed. */
export function typedBy(
  caller: Caller,
  { country, clientNetwork, signals, brought }: CodeRequester,
): TypedCode {
  const kept = readSignals(signals);
  return {
    caller,
    country,
    clientNetwork,
    device: kept.device,
    isEvidence: isEvidence(brought === true, kept),
  };
}
