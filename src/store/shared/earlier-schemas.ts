/** Which stores of earlier versions are brought over. All others are refused before anything is changed. */
import { StoreUnusable } from '../../core/errors/store-failure.ts';
import { SEAL_MARK } from '../../core/secrets/seals.ts';
import { SCHEMA_OF_0_2, type Upgrade } from './schema-files.ts';

/** Throws StoreUnusable if an unpublished version left a store of this schema: no upgrade begins there. */
export function refuseUnpublished(schema: number, upgrades: readonly Upgrade[]): void {
  const isUpgraded = schema <= SCHEMA_OF_0_2 || upgrades.some(({ number }) => number <= schema);
  if (isUpgraded) return;
  throw new StoreUnusable(
    `the database has schema ${schema}, which only versions between releases had and this one does not upgrade; ` +
      `restore a backup of schema ${SCHEMA_OF_0_2} (version 0.2.0) or of a later release, or put the store aside`,
  );
}

/** Whether 0.1 may have written a store of this schema, its last or an earlier one; 0 is that of an empty one. */
export const mayBeOfFirstVersion = (schema: number): boolean => schema > 0 && schema <= SCHEMA_OF_0_2;

/**
 * Version 0.1 sealed and hashed in a format that is not read any more (docs/adr/0023-secrets-by-the-book.md): its codes would be taken for
 * wrong, and its sends not counted. 0.2.0 can still take its store over. Its last schema is that of 0.2.0, too: what they sealed tells them
 * apart. Throws StoreUnusable if 0.1 sealed the destination of the newest verification; there may be none.
 */
export function refuseFirstVersion(schema: number, newestSealed: unknown): void {
  const isFirst = typeof newestSealed === 'string' && !newestSealed.startsWith(SEAL_MARK);
  if (schema === SCHEMA_OF_0_2 && !isFirst) return;
  const what = isFirst
    ? 'version 0.1 sealed the newest verification in this store, which this version cannot read; '
    : `version 0.1 left this store (schema ${schema}), which this version does not upgrade; `;
  throw new StoreUnusable(
    `${what}start version 0.2.0 on it first, and keep that until a newer code was asked for (docs/operations.md, "Upgrading")`,
  );
}
