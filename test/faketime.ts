/** Sets the clock of a process under test, with libfaketime if the machine has it (Debian package `faketime`). */
import { existsSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const LIBRARY = [
  process.env.COUNTERSIGN_TEST_LIBFAKETIME,
  '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1',
  '/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1',
  '/usr/lib64/faketime/libfaketimeMT.so.1',
  '/usr/local/lib/faketime/libfaketimeMT.so.1',
].find((path) => path !== undefined && existsSync(path));

/** A reason to skip a test that sets clocks; false if it can run. */
export const NO_FAKETIME =
  LIBRARY === undefined &&
  'NOT PROVEN HERE: clocks of real processes. Install libfaketime (Debian: faketime).';

export interface SettableClock {
  /** Environment of the process whose clock it is. Steady time does not change, as on a machine whose clock is set. */
  readonly env: Readonly<Record<string, string>>;
  /** Sets the clock this many seconds ahead of the machine's. */
  set(seconds: number): void;
}

/** Whatever uses it: a test or a suite. */
interface Scope {
  after(remove: () => Promise<void>): void;
}

export async function createSettableClock(scope: Scope, seconds = 0): Promise<SettableClock> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-clock-'));
  scope.after(() => rm(folder, { recursive: true }));
  const file = join(folder, 'offset');
  const set = (ahead: number) => writeFileSync(file, `${ahead < 0 ? '' : '+'}${ahead}\n`);
  set(seconds);
  return {
    env: {
      LD_PRELOAD: LIBRARY ?? '',
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      DONT_FAKE_MONOTONIC: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    set,
  };
}
