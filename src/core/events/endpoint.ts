/** Where an account wants to be told, and how it is signed. */
import type { Random } from '../seams/random.ts';
import type { Keyring } from '../secrets/keyring.ts';
import type { EventType } from './event.ts';

/** How long the secret before a rotation goes on signing beside the new one, in ms. */
export const OVERLAP_MS = 86_400_000;

/** Endpoints of one account. */
export const MAX_WEBHOOKS = 10;

/** As people are shown it, without secrets. Times are Unix ms. */
export interface Webhook {
  readonly id: string;
  readonly url: string;
  /** Empty: all types. */
  readonly types: readonly EventType[];
  /** Whether it gets whole numbers instead of masked ones. */
  readonly fullNumbers: boolean;
  readonly createdAt: number;
  /** Until when the secret before signs too; null if it does not. */
  readonly previousUntil: number | null;
  /** Since when nothing but failures came back; null while the last try was a success, or before the first. */
  readonly failingSince: number | null;
  readonly lastSuccessAt: number | null;
  readonly lastFailure: { readonly at: number; readonly answer: string } | null;
  /** Why and since when nothing is sent to it; null while it is in use. */
  readonly disabled: { readonly at: number; readonly why: DisabledWhy } | null;
}

/** `gone`: it answered 410. `failing`: five days of nothing but failures. */
export type DisabledWhy = 'gone' | 'failing' | 'by-hand';

/** `whsec_` and base64 of 32 random bytes, as Standard Webhooks writes secrets. */
export const mintWebhookSecret = ({ bytes }: Random): string => `whsec_${bytes(32).toString('base64')}`;

export const sealWebhookSecret = (keyring: Keyring, webhookId: string, secret: string): string =>
  keyring.seal(secret, contextOf(webhookId));

/** Throws as Keyring.open does. */
export const openWebhookSecret = (keyring: Keyring, webhookId: string, sealed: string): string =>
  keyring.open(sealed, contextOf(webhookId));

const contextOf = (webhookId: string): string => `webhook secret ${webhookId}`;
