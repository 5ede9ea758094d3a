/** The service's two operations, as the HTTP layer sees them. */
import type { Channel } from './destination.ts';
import type { Limit } from './limits.ts';

/** Who asks: the API key of a request, resolved. */
export interface Caller {
  readonly keyId: string;
  readonly accountId: string;
  readonly test: boolean;
}

export interface VerificationRequest {
  readonly destination: string;
  readonly channel: Channel;
  /** The client's `Idempotency-Key`, if it sent one. */
  readonly idempotencyKey: string | undefined;
}

export type RequestAnswer =
  | { readonly kind: 'issued'; readonly id: string; readonly destination: string; readonly channel: Channel }
  | { readonly kind: 'invalid'; readonly field: 'destination' | 'channel'; readonly detail: string }
  | { readonly kind: 'idempotency-mismatch' }
  | { readonly kind: 'idempotency-in-progress' }
  | {
      readonly kind: 'limited';
      readonly scope: 'key' | 'destination';
      readonly limit: Limit;
      readonly retryAfterMs: number;
    };

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
  | { readonly kind: 'attempts-exhausted' }
  | { readonly kind: 'expired' }
  | { readonly kind: 'already-confirmed' }
  | { readonly kind: 'unknown' };

/** Both reject with StoreUnavailable, and with nothing else, when nothing was done. */
export interface VerifierPort {
  request(caller: Caller, request: VerificationRequest): Promise<RequestAnswer>;
  confirm(caller: Caller, id: string, code: string): Promise<ConfirmAnswer>;
}
