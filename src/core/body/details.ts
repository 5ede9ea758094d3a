/**
 * What is kept of a request's options and metadata: one sealed text, so that the store neither sees them nor has a column for
 * each. The wording is kept because a message that is sent again, after a crash, reads as it did at first.
 */
import type { MessageRequest } from '../message/message.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { ifIntact, openField, sealField } from '../secrets/sealed-field.ts';
import type { Metadata } from './metadata.ts';

export interface Details extends MessageRequest {
  readonly metadata?: Metadata | undefined;
}

const NONE: Details = {};

/** Null if there is nothing to keep. */
export function sealDetails(
  keyring: Keyring,
  { locale, template, appHash }: MessageRequest,
  metadata: Metadata | undefined,
  id: string,
): string | null {
  const kept = metadata === undefined || Object.keys(metadata).length === 0 ? undefined : metadata;
  if ((locale ?? template ?? appHash ?? kept) === undefined) return null;
  return sealField(keyring, JSON.stringify({ locale, template, appHash, metadata: kept }), id, 'details');
}

/** Throws as Keyring.open does. */
export function openDetails(keyring: Keyring, sealed: string | null, id: string): Details {
  return sealed === null ? NONE : JSON.parse(openField(keyring, sealed, id, 'details'));
}

/** For people and applications who look at it later: undefined, too, if the secret that it was sealed with is gone. */
export function openMetadata(keyring: Keyring, sealed: string | null, id: string): Metadata | undefined {
  if (sealed === null) return undefined;
  const text = ifIntact(() => openField(keyring, sealed, id, 'details'));
  return text === undefined ? undefined : (JSON.parse(text) as Details).metadata;
}
