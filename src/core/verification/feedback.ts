/** How an account says what a verification of its own was. */
import type { FraudVerdict } from '../guarding/verdict.ts';
import type { RequestRefusal } from './reading/inquiry.ts';
import type { Caller } from './request.ts';

export type FeedbackAnswer =
  | { readonly kind: 'given'; readonly id: string }
  /** Erased, past its time, of another account, of the other kind of key, or never there. */
  | { readonly kind: 'unknown' }
  | ({ readonly kind: 'limited'; readonly scope: 'key' } & RequestRefusal)
  | SaidTooMuch;

/** The account changed what it says as often as it may in a day. Nothing was written. */
export type SaidTooMuch = { readonly kind: 'limited'; readonly scope: 'account' } & RequestRefusal;

/** Null takes back what was said. Saying the same again changes nothing. Rejects with a StoreFailure. */
export type GiveFeedback = (
  caller: Caller,
  id: string,
  verdict: FraudVerdict | null,
) => Promise<FeedbackAnswer>;
