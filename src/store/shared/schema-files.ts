/**
 * The files of a schema (docs/adr/0053-fresh-schemas.md): `tables` says what there is now, and makes a new store; each file of `upgrades`
 * brings a store of the number before to its own.
 */
import { readdirSync, readFileSync } from 'node:fs';

export interface Upgrade {
  /** The number of the schema that it leads to, which begins its name. */
  readonly number: number;
  readonly name: string;
  readonly text: string;
}

/** The schema of 0.2.0, which the first upgrade begins at. */
export const SCHEMA_OF_0_2 = 10;

/** In the order of their names: accounts, which others refer to, come first. */
export function readTables(schema: URL): string {
  return readFiles(new URL('tables/', schema))
    .map(({ text }) => text)
    .join('\n');
}

export function readUpgrades(schema: URL): readonly Upgrade[] {
  return readFiles(new URL('upgrades/', schema)).map(({ name, text }) => {
    return { number: Number.parseInt(name, 10), name, text };
  });
}

/** The number of a new store's schema. */
export const newestSchema = (upgrades: readonly Upgrade[]): number =>
  upgrades.at(-1)?.number ?? SCHEMA_OF_0_2;

function readFiles(folder: URL) {
  return readdirSync(folder)
    .sort()
    .map((name) => ({ name, text: readFileSync(new URL(name, folder), 'utf8') }));
}
