/**
 * Version 0.1 sealed and hashed in a format that is not read any more (docs/adr/0023-secrets-by-the-book.md): its codes would be taken for
 * wrong, and its sends not counted. Its store is refused before anything is migrated, so that 0.2.0 can still take it over.
 */
import { StoreUnusable } from '../../core/errors.ts';
import { SEAL_MARK } from '../../core/secrets/seals.ts';

/** The last schema of 0.1, and that of 0.2.0 too: what they sealed tells them apart. */
const LAST_SCHEMA = 10;

/** Whether 0.1 may have written a store of this schema; 0 is that of an empty one. */
export const mayBeOfFirstVersion = (schema: number): boolean => schema > 0 && schema <= LAST_SCHEMA;

/** Throws StoreUnusable if 0.1 sealed the destination of the newest verification; there may be none. */
export function refuseFirstVersion(newestSealed: unknown): void {
  if (typeof newestSealed !== 'string' || newestSealed.startsWith(SEAL_MARK)) return;
  throw new StoreUnusable(
    'version 0.1 sealed the newest verification in this store, which this version cannot read; ' +
      'start version 0.2.0 on it first, and keep that until a newer code was asked for (docs/operations.md, "Upgrading")',
  );
}
