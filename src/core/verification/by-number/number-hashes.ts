/**
 * Under which hashes the other codes of a code's number are. A row knows those of its own time: while a secret is rotated, a code
 * of the secret before does not know under what its number goes now, and must end the codes of that, too.
 */
import type { Keyring } from '../../secrets/keyring.ts';
import { openField } from '../../secrets/sealed-field.ts';
import type { Archive } from '../reading/archive.ts';
import type { Scope } from '../scope.ts';

/** Undefined if the code's row knows them all, or if there is no such code. Rejects with a StoreFailure. */
export type FindNumberHashes = (
  scope: Scope,
  id: string,
  now: number,
) => Promise<readonly string[] | undefined>;

export function createFindNumberHashes(
  keyring: Keyring,
  store: Pick<Archive, 'findArchived'>,
): FindNumberHashes {
  return async ({ accountId, test }, id, now) => {
    if (!keyring.isRotating) return undefined;
    const found = await store.findArchived({ accountId, test }, id, now);
    if (found === undefined) return undefined;
    const { destinationSealed } = found.verification;
    // Sealed under a secret that is gone, it is of a time of which nothing is open.
    if (!keyring.canOpen(destinationSealed)) return undefined;
    const address = openField(keyring, destinationSealed, id, 'destination');
    const { current, earlier } = keyring.destinationHash(accountId, test, address);
    return [current, ...earlier];
  };
}
