/**
 * Collects log lines and writes them in pages.
 *
 * pino's own destination is not used: an asynchronous one loses the current write when the process exits, and its
 * `flushSync` retries forever if it can never succeed (a closed pipe, a full disk), so that a stop would never end.
 */
import { writeSync } from 'node:fs';

export interface Output {
  write(line: string): void;
  /** Writes the collected lines. pino calls it after a fatal line. */
  flushSync(): void;
  /** Flushes. From then on every line is written at once. */
  close(): void;
}

const PAGE_CHARACTERS = 16_384;
const FLUSH_MS = 500;
/** A reader that stops for longer loses lines until it reads again, so that it does not block the service. */
const PATIENCE_MS = 250;
const NAP_MS = 10;

export function createOutput(fd: number, write: typeof writeSync = writeSync): Output {
  let page = '';
  let limit = PAGE_CHARACTERS;
  let patience = PATIENCE_MS;

  const flushSync = () => {
    const bytes = Buffer.from(page);
    page = '';
    if (bytes.length > 0) patience = writeAll(fd, bytes, write, patience) ? PATIENCE_MS : 0;
  };
  const timer = setInterval(flushSync, FLUSH_MS);
  timer.unref();
  process.on('exit', flushSync);

  return {
    flushSync,
    write: (line) => {
      page += line;
      if (page.length >= limit) flushSync();
    },
    close: () => {
      limit = 0;
      clearInterval(timer);
      process.removeListener('exit', flushSync);
      flushSync();
    },
  };
}

/**
 * Whether all was written. The rest is dropped: there is nowhere to report it, and the service must not stop because of its
 * log.
 */
function writeAll(fd: number, bytes: Buffer, write: typeof writeSync, patience: number): boolean {
  let left = patience;
  for (let written = 0; written < bytes.length; ) {
    try {
      written += write(fd, bytes, written);
    } catch (error) {
      // A full pipe that something (console.log is enough) has made non-blocking.
      const full = error instanceof Error && 'code' in error && error.code === 'EAGAIN';
      if (!full || left <= 0) return false;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, NAP_MS);
      left -= NAP_MS;
    }
  }
  return true;
}
