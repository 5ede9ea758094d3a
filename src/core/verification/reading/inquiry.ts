/** What became of a verification, for the key's own app: enough to offer another channel, and never the code. */
import { openMetadata } from '../../body/details.ts';
import type { Metadata } from '../../body/metadata.ts';
import type { Channel } from '../../destination/channel.ts';
import type { Clock } from '../../seams/clock.ts';
import type { Keyring } from '../../secrets/keyring.ts';
import { openField } from '../../secrets/sealed-field.ts';
import type { Limit } from '../limits.ts';
import type { Caller } from '../request.ts';
import type { Archive } from './archive.ts';
import { type AttemptState, progressOf, stateOfAttempt, type VerificationProgress } from './progress.ts';
import { type IsSuccessor, showNumber } from './shown-number.ts';

/** Counts requests that write nothing else. */
export interface RequestCount {
  /** Counts a request against the limits of its key, or answers the first that is reached. */
  takeRequest(keyId: string, now: number): Promise<RequestRefusal | undefined>;
}

export interface RequestRefusal {
  readonly limit: Limit;
  readonly retryAfterMs: number;
}

/** Times are Unix ms. Which carriers were asked, and what they said, is for the people who run the service. */
export interface Inquired {
  readonly kind: 'found';
  readonly id: string;
  /** Masked for a key that neither asked for the code nor took the place of one that did; undefined if its secret is gone. */
  readonly destination: string | undefined;
  readonly channel: Channel;
  readonly progress: VerificationProgress;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** As in the archive. */
  readonly endedAt: number | null;
  readonly confirmedAt: number | null;
  readonly guessesLeft: number;
  /** What the client asked to keep with it; absent, too, if the secret that it was sealed with is gone. */
  readonly metadata?: Metadata;
  readonly attempts: readonly {
    readonly channel: Channel;
    readonly state: AttemptState;
    readonly startedAt: number;
    /** When it came into its state. */
    readonly changedAt: number;
  }[];
}

export type InquiryAnswer = Inquired | NotFound;

type NotFound =
  /** None in the scope of the caller. */
  { readonly kind: 'unknown' } | ({ readonly kind: 'limited'; readonly scope: 'key' } & RequestRefusal);

/** For the service itself, which may hold a code against the number, but not show it. Rejects with a StoreFailure. */
export type LookUp = (
  caller: Caller,
  id: string,
) => Promise<
  { readonly kind: 'found'; readonly shown: Inquired; readonly address: string | undefined } | NotFound
>;

/** Rejects with a StoreFailure. */
export type Inquire = (caller: Caller, id: string) => Promise<InquiryAnswer>;

export interface InquiryDeps {
  readonly clock: Clock;
  readonly store: Pick<Archive, 'findArchived'> & RequestCount;
  readonly keyring: Keyring;
  readonly isSuccessor: IsSuccessor;
}

export function createInquiry(lookUp: LookUp): Inquire {
  return async (caller, id) => {
    const found = await lookUp(caller, id);
    return found.kind === 'found' ? found.shown : found;
  };
}

export function createLookUp({ clock, store, keyring, isSuccessor }: InquiryDeps): LookUp {
  return async (caller, id) => {
    const { accountId, keyId, test } = caller;
    const now = clock.now();
    const refusal = await store.takeRequest(keyId, now);
    if (refusal !== undefined) return { kind: 'limited', scope: 'key', ...refusal };
    const found = await store.findArchived({ accountId, test }, id, now);
    if (found === undefined) return { kind: 'unknown' };
    const { channel, destinationSealed, createdAt, expiresAt, endedAt, confirmedAt, guessesLeft } =
      found.verification;
    const metadata = openMetadata(keyring, found.detailsSealed, id);
    const address = keyring.canOpen(destinationSealed)
      ? openField(keyring, destinationSealed, id, 'destination')
      : undefined;
    const shown: Inquired = {
      kind: 'found',
      id,
      destination: address && (await showNumber(isSuccessor, caller, found.verification.keyId, address)),
      channel,
      progress: progressOf(found, now),
      createdAt,
      expiresAt,
      endedAt,
      confirmedAt,
      guessesLeft,
      ...(metadata !== undefined && { metadata }),
      attempts: found.attempts.map((attempt) => ({
        channel: attempt.channel,
        state: stateOfAttempt(attempt),
        startedAt: attempt.startedAt,
        changedAt: attempt.receipt?.at ?? attempt.endedAt,
      })),
    };
    return { kind: 'found', shown, address };
  };
}
