/** The secret's file: made once, whole or not at all, and for its owner only. */
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
import { findWeakness } from './secret-strength.ts';

/** Where the secret is kept that was not configured. */
export const secretFile = (dataDir: string): string => join(dataDir, 'secret');

/** The secret kept in the data folder, made on the first start. Throws where it cannot be written to the end. */
export function ensureSecret(dataDir: string): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const kept = findSecret(dataDir);
  if (kept !== undefined) return kept;
  publish(`${randomBytes(32).toString('base64url')}\n`, secretFile(dataDir), dataDir);
  return readSecret(secretFile(dataDir));
}

/** The secret kept in the data folder; undefined when none was made or put there. */
export function findSecret(dataDir: string): string | undefined {
  try {
    return readSecret(secretFile(dataDir));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * What is wrong with the secret kept in the data folder; undefined when nothing is, or none is there yet. An empty one may
 * be what a full disk left of a start long ago: to go on with it would be to seal with what everybody knows.
 */
export function findKeptFault(dataDir: string): Omit<ConfigProblem, 'key'> | undefined {
  try {
    const secret = findSecret(dataDir);
    if (secret === undefined) return undefined;
    const weakness = findWeakness(secret);
    if (weakness === undefined) return findExposure(secretFile(dataDir));
    const fix =
      'put back the copy that you keep of it; if none was ever complete, remove the file and a new one is made';
    return { ...weakness, fix };
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    const fix = 'run this as the user that the service runs as, or correct the rights of the file';
    return { wrong: `cannot be read (${code})`, expected: 'a readable file', fix };
  }
}

const OWNER_WRITES = 0o200;
const OTHERS = 0o006;

/**
 * What is wrong with who may read a secret's file. Refused is what its owner can put right and runs this: a file of ours,
 * open to others, that we may write. Docker and Kubernetes mount secrets as files of another owner, or that nobody may
 * write, and keep others away by what stands above them.
 */
export function findExposure(path: string): Omit<ConfigProblem, 'key'> | undefined {
  const { mode, uid } = statSync(path);
  if (process.getuid?.() !== uid || (mode & OWNER_WRITES) === 0 || (mode & OTHERS) === 0) return undefined;
  const rights = (mode & 0o777).toString(8).padStart(3, '0');
  return {
    wrong: `is open to every user of this machine (mode ${rights})`,
    expected: 'a file for its owner only',
    fix: `chmod 600 ${path}, and rotate the secret if somebody else could have read it`,
  };
}

/**
 * Gives the text that name only once it is on the disk, all of it. By a link and not a rename, which would replace what
 * another process published meanwhile: of several that start at once one wins, and all read the same.
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
