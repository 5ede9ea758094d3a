/** The certificate: made on the first run, or read from files, again whenever they change. */

import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Logger } from 'pino';
import { DAY_MS } from '../../core/seams/spans.ts';
import {
  checkKeyPair,
  type KeyPair,
  type KeyPairFiles,
  readKeyPair,
  readUnchecked,
  validUntil,
} from './key-pair.ts';
import type { Validity } from './self-signed.ts';

const MAKER = fileURLToPath(new URL('./self-signed-process.js', import.meta.url));
const VALID_DAYS = 825;
const RENEW_DAYS = 30;

export const selfSignedFiles = (dataDir: string): KeyPairFiles => ({
  cert: join(dataDir, 'tls-cert.pem'),
  key: join(dataDir, 'tls-key.pem'),
});

interface SelfSignedOptions {
  readonly names?: readonly string[] | undefined;
  readonly log?: Logger;
  /** Resolves once the folder is this process's own: of two that start at once in it, one must not overwrite the other's pair. */
  readonly owned?: Promise<unknown>;
}

/**
 * The self-signed pair of a data directory, with these names. It is made if there is none, and again if it expires soon, is not
 * valid yet, or lacks one of the names. Rejects, with nothing written, if `owned` does.
 */
export async function ensureSelfSigned(
  dataDir: string,
  { names = [], log, owned }: SelfSignedOptions = {},
): Promise<KeyPairFiles> {
  const files = selfSignedFiles(dataDir);
  // Without a wait: the process that makes one is started before this one loads what keeps it busy.
  const kept = existsSync(files.cert) ? await readFresh(files) : undefined;
  const lacking = kept === undefined ? [] : names.filter((name) => !covers(kept, name));
  if (kept !== undefined && lacking.length === 0) return files;
  const now = Date.now();
  const validity = { from: new Date(now - DAY_MS), until: new Date(now + VALID_DAYS * DAY_MS) };
  const made = await makeInChild(validity, names);
  await owned;
  await mkdir(dataDir, { recursive: true });
  await writeFile(files.key, made.key, { mode: 0o600 });
  await writeFile(files.cert, made.cert);
  if (lacking.length > 0) log?.warn({ names: lacking, file: files.cert }, REMADE);
  return files;
}

const REMADE =
  'the self-signed certificate lacked these names of tls.names, so a new one was made; clients that trust the old file need the new one';

/** In a child process: in this one the library would keep 9 MB, and a thread gives hardly any of it back. */
async function makeInChild({ from, until }: Validity, names: readonly string[]): Promise<KeyPair> {
  const args = [MAKER, from.toISOString(), until.toISOString(), ...names];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout);
}

/** The certificate in use; undefined if there is none, or if it must be replaced. */
async function readFresh(files: KeyPairFiles): Promise<X509Certificate | undefined> {
  try {
    const pair = await readKeyPair(files);
    const certificate = new X509Certificate(pair.cert);
    const now = Date.now();
    // One that was made while the clock was ahead is not valid yet.
    const isFresh =
      certificate.validFromDate.getTime() <= now && validUntil(pair) - now > RENEW_DAYS * DAY_MS;
    return isFresh ? certificate : undefined;
  } catch {
    return undefined;
  }
}

function covers(certificate: X509Certificate, name: string): boolean {
  const found = isIP(name) === 0 ? certificate.checkHost(name) : certificate.checkIP(name);
  return found !== undefined;
}

/**
 * Reads the files every `intervalMs` and applies a changed pair. If the new pair is broken or half written, the old one
 * stays in use, and one line is logged. Polling instead of fs.watch: certificates arrive as renames and symlink swaps,
 * which watches miss.
 */
export function watchKeyPair(
  files: KeyPairFiles,
  inUse: KeyPair,
  apply: (pair: KeyPair) => void,
  log: Logger,
  intervalMs: number,
): { close(): void } {
  let seen = inUse.cert + inUse.key;
  let busy = false;
  const look = async () => {
    if (busy) return;
    busy = true;
    // Read once: what is compared is what is applied, even while somebody writes.
    const [read] = await Promise.allSettled([readUnchecked(files)]);
    busy = false;
    const text = read.status === 'fulfilled' ? read.value.cert + read.value.key : String(read.reason);
    if (text === seen) return;
    seen = text;
    try {
      if (read.status === 'rejected') throw read.reason;
      checkKeyPair(read.value);
      apply(read.value);
      log.info('certificate reloaded');
    } catch (error) {
      log.error({ reason: error instanceof Error ? error.message : 'unknown' }, 'certificate not reloaded');
    }
  };
  const timer = setInterval(() => void look(), intervalMs).unref();
  return { close: () => clearInterval(timer) };
}
