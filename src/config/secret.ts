import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where the secret is kept that was not configured. */
export const secretFile = (dataDir: string): string => join(dataDir, 'secret');

/** The secret kept in the data folder, made on the first start. Readable by its owner alone. */
export function ensureSecret(dataDir: string): string {
  const file = secretFile(dataDir);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  try {
    // `wx` creates or fails: of two processes that start at once, one writes and both read the same.
    writeFileSync(file, `${randomBytes(32).toString('base64url')}\n`, {
      flag: 'wx',
      mode: 0o600,
      flush: true,
    });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  return readSecret(file);
}

/** The secret kept in the data folder; undefined when none was made or put there. */
export function findSecret(dataDir: string): string | undefined {
  const file = secretFile(dataDir);
  return existsSync(file) ? readSecret(file) : undefined;
}

const readSecret = (file: string): string => readFileSync(file, 'utf8').trim();
