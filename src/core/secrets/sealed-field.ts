/** The texts that a store keeps sealed of a verification. */
import type { Keyring } from './keyring.ts';

export type SealedField = 'destination' | 'code' | 'details';

/** Seals a text for one field of one verification: where the columns of a row are swapped, neither opens. */
export function sealField(keyring: Keyring, text: string, id: string, field: SealedField): string {
  return keyring.seal(text, contextOf(id, field));
}

/** Throws as Keyring.open does. */
export function openField(keyring: Keyring, sealed: string, id: string, field: SealedField): string {
  return keyring.open(sealed, contextOf(id, field));
}

function contextOf(id: string, field: SealedField): string {
  return `${id} ${field}`;
}

/** What opens, or undefined for what somebody altered: one such row must not keep the rest from a new secret. */
export function ifIntact(open: () => string): string | undefined {
  try {
    return open();
  } catch {
    return undefined;
  }
}
