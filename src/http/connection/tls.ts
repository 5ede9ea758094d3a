/** The certificate: made on the first run, or read from files, again whenever they change. */
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Logger } from 'pino';
import { type KeyPair, type KeyPairFiles, readKeyPair, validUntil } from './key-pair.ts';
import type { Validity } from './self-signed.ts';

const MAKER = fileURLToPath(new URL('./self-signed-process.js', import.meta.url));
const DAY_MS = 86_400_000;
const VALID_DAYS = 825;
const RENEW_DAYS = 30;

export const selfSignedFiles = (dataDir: string): KeyPairFiles => ({
  cert: join(dataDir, 'tls-cert.pem'),
  key: join(dataDir, 'tls-key.pem'),
});

/** The self-signed pair of a data directory. It is made if there is none, or if it expires soon. */
export async function ensureSelfSigned(dataDir: string): Promise<KeyPairFiles> {
  const files = selfSignedFiles(dataDir);
  if (await isFresh(files)) return files;
  const now = Date.now();
  const made = await makeInChild({
    from: new Date(now - DAY_MS),
    until: new Date(now + VALID_DAYS * DAY_MS),
  });
  await mkdir(dataDir, { recursive: true });
  await writeFile(files.key, made.key, { mode: 0o600 });
  await writeFile(files.cert, made.cert);
  return files;
}

/** In a child process: in this one the library would keep 9 MB, and a thread gives hardly any of it back. */
async function makeInChild({ from, until }: Validity): Promise<KeyPair> {
  const args = [MAKER, from.toISOString(), until.toISOString()];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout);
}

async function isFresh(files: KeyPairFiles): Promise<boolean> {
  try {
    return validUntil(await readKeyPair(files)) - Date.now() > RENEW_DAYS * DAY_MS;
  } catch {
    return false;
  }
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
    const found = (await Promise.all([files.cert, files.key].map(readOrNothing))).join('');
    busy = false;
    if (found === seen) return;
    seen = found;
    try {
      apply(await readKeyPair(files));
      log.info('certificate reloaded');
    } catch (error) {
      log.error({ reason: error instanceof Error ? error.message : 'unknown' }, 'certificate not reloaded');
    }
  };
  const timer = setInterval(() => void look(), intervalMs).unref();
  return { close: () => clearInterval(timer) };
}

async function readOrNothing(file: string): Promise<string> {
  return await readFile(file, 'utf8').catch(() => '');
}
