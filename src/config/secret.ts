/** The secret's file: made once, complete or not at all, and readable only by its owner. */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { codeOf } from './file.ts';
import type { ConfigProblem } from './problem.ts';
import { findWeakness } from './rules/secret-strength.ts';

/** Where the secret is kept if it is not configured. */
export const secretFile = (dataDir: string): string => join(dataDir, 'secret');

/** The secret in the data folder; made on the first start. Throws if it cannot be written completely. */
export function ensureSecret(dataDir: string): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const kept = findSecret(dataDir);
  if (kept !== undefined) return kept;
  publish(`${randomBytes(32).toString('base64url')}\n`, secretFile(dataDir), dataDir);
  return readSecret(secretFile(dataDir));
}

/** The secret in the data folder; undefined if there is none. */
export function findSecret(dataDir: string): string | undefined {
  try {
    return readSecret(secretFile(dataDir));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * What is wrong with the secret in the data folder; undefined if nothing is or there is none yet. A full disk may have
 * left an empty one: using it would mean sealing with a secret that everyone knows.
 */
export function findKeptFault(dataDir: string): Omit<ConfigProblem, 'key'> | undefined {
  try {
    const secret = findSecret(dataDir);
    if (secret === undefined) return undefined;
    const weakness = findWeakness(secret);
    // The service made it, so neither its mode nor its owner means that it is mounted.
    if (weakness === undefined) return findExposure(secretFile(dataDir))?.problem;
    const fix = 'restore your copy of it; if it was never complete, remove the file and a new one is made';
    return { ...weakness, fix };
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    const fix = 'run this as the user of the service, or correct the permissions of the file';
    return { wrong: `cannot be read (${code})`, expected: 'a readable file', fix };
  }
}

const OWNER_WRITES = 0o200;
const OTHERS = 0o006;

interface Exposure {
  readonly problem: Omit<ConfigProblem, 'key'>;
  /** Whether it seems to be mounted for us. Then we cannot change it, and the folders above it may keep others out. */
  readonly isMounted: boolean;
  /** Whether it belongs to the user of this process. */
  readonly isOurs: boolean;
}

/**
 * What is wrong with the permissions of a secret's file, if others can read it. Docker and Kubernetes mount secrets as read-only
 * files or with another owner.
 */
export function findExposure(path: string): Exposure | undefined {
  const { mode, uid } = statSync(path);
  if ((mode & OTHERS) === 0) return undefined;
  const isOurs = process.getuid?.() === uid;
  const isMounted = !isOurs || (mode & OWNER_WRITES) === 0;
  const rights = (mode & 0o777).toString(8).padStart(3, '0');
  const problem = {
    wrong: `can be read by every user of this machine (mode ${rights})`,
    expected: 'a file that only its owner can read',
    fix: `chmod 600 ${path}, and rotate the secret if somebody else may have read it`,
  };
  return { problem, isMounted, isOurs };
}

/**
 * Makes the file only once the whole text is on disk. Uses a link instead of a rename, which would replace a file that
 * another process has just made: if several start at once, one wins and all read the same secret.
 */
function publish(text: string, path: string, folder: string): void {
  const part = `${path}.${randomBytes(6).toString('hex')}.part`;
  try {
    writeFileSync(part, text, { flag: 'wx', mode: 0o600, flush: true });
    linkSync(part, path);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(part, { force: true });
  }
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

const readSecret = (file: string): string => readFileSync(file, 'utf8').trim();
