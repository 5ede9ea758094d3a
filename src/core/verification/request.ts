/** What is asked of the verifier, and what it answers. */
import type { AccountSettings } from '../accounts/account-settings.ts';
import type { KeyRestrictions } from '../accounts/api-key.ts';
import type { InSuccession } from '../accounts/succession.ts';
import type { GivenBody } from '../body/body.ts';
import type { Channel } from '../destination/channel.ts';
import type { FieldError } from '../errors/field-error.ts';
import type { NamedText } from '../message/named-text.ts';
import type { Limit } from './limits.ts';
import type { ConfirmOutcome } from './verification.ts';

/** Who asks: the API key of a request, resolved. */
export interface Caller extends InSuccession {
  readonly accountId: string;
  readonly test: boolean;
  /** What the key may be used for; undefined: for everything. */
  readonly restrictions?: Pick<KeyRestrictions, 'channels' | 'countries'> | undefined;
  /** Whether the key may bring codes of its own. */
  readonly customCodes?: boolean | undefined;
  /** Undefined where the account sets nothing. */
  readonly settings?: AccountSettings | undefined;
  /** The beginnings of numbers that the account sends nothing to; undefined if there are none. */
  readonly blockedRanges?: readonly string[] | undefined;
}

export interface VerificationRequest extends GivenBody {
  readonly destination: string;
  readonly channel: Channel;
  /** The client's `Idempotency-Key`, if it sent one. */
  readonly idempotencyKey: string | undefined;
  /** How long it makes a request a repetition, in ms; as long as any if nothing is said. */
  readonly repetitionMs?: number | undefined;
  /** Whether the earlier codes of its number end once it is issued; for who finds codes by their number, and without `idempotencyKey`. */
  readonly endsEarlier?: true | undefined;
  /** Whether another system made its code and checks it: here it is not found by its number, and no other code of the number ends it. */
  readonly checkedElsewhere?: true | undefined;
}

/** The fields of a request that the verifier itself finds wrong. */
type RequestField =
  | 'destination'
  | 'channel'
  | `options/${string}`
  | `metadata${string}`
  | `signals/${string}`;

export type RequestAnswer =
  | { readonly kind: 'issued'; readonly id: string; readonly destination: string; readonly channel: Channel }
  | ({ readonly kind: 'invalid' } & FieldError<RequestField>)
  | { readonly kind: 'idempotency-mismatch' }
  | { readonly kind: 'idempotency-in-progress' }
  /** `endsAt` is Unix ms. */
  | {
      readonly kind: 'exhausted';
      readonly budget: string;
      readonly endsAt: number;
      readonly retryAfterMs: number;
    }
  | NumberRefused
  | LimitReached;

export type NumberRefused =
  /** By the guard, or by what the account refuses. Why is for the operator, not for the caller. */
  | { readonly kind: 'guarded'; readonly retryAfterMs: number }
  /** What has to be known of the number before a code is sent could not be found out. Nothing was sent. */
  | { readonly kind: 'unanswered'; readonly retryAfterMs: number };

/** A limit is reached: one of the key, one of the destination, or the daily cap of the route. */
export interface LimitReached {
  readonly kind: 'limited';
  readonly scope: 'key' | 'destination' | 'route';
  readonly limit: Limit;
  readonly retryAfterMs: number;
}

export type ConfirmAnswer =
  | {
      readonly kind: 'confirmed';
      readonly id: string;
      readonly destination: string;
      readonly channel: Channel;
      /** Unix ms. */
      readonly confirmedAt: number;
    }
  | { readonly kind: 'mismatch'; readonly attemptsRemaining: number }
  | Exclude<ConfirmOutcome, { readonly kind: 'confirmed' | 'mismatch' | 'replayed' }>
  | { readonly kind: 'idempotency-in-progress' };

/** Both reject with StoreUnavailable when nothing was done, and with OutcomeUnknown when that cannot be known. */
export interface VerifierPort {
  /** The channels that may be asked for: those of every service, and those that a route serves. */
  readonly channels: readonly Channel[];
  request(caller: Caller, request: VerificationRequest): Promise<RequestAnswer>;
  /** The named text that a client has spelled out; undefined if it is none. */
  findNamedText(caller: Caller, text: string): NamedText | undefined;
  /** `idempotencyKey` is the client's `Idempotency-Key`, if it sent one. */
  confirm(caller: Caller, id: string, code: string, idempotencyKey?: string): Promise<ConfirmAnswer>;
}
