/** For tests: the project's own files, and what deployments may refer to. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CARRIER_TYPES } from '../../src/carriers/all-types.ts';
import { listVariables } from '../../src/config/environment.ts';
import { createConfigSchema } from '../../src/config/table/schema.ts';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The text of a file, by its path in the project. */
export function readProjectFile(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** All files under a folder, by their paths in the project. Without the output of `deploy/create-secrets.sh`. */
export function listProjectFiles(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .filter((path) => !path.startsWith('deploy/secrets/'))
    .sort();
}

/** Every environment variable that the service knows. */
export const VARIABLES: ReadonlySet<string> = new Set([
  'COUNTERSIGN_CONFIG',
  ...listVariables(createConfigSchema(CARRIER_TYPES), {}).map(({ name }) => name),
]);
