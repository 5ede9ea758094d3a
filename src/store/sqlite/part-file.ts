/** A file that gets its name only once it is complete, and is gone if it never is. */
import { closeSync, linkSync, openSync, rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';

export interface PartFile extends AsyncDisposable {
  readonly path: string;
  readonly handle: FileHandle;
  /** Gives the file its name, durably; false when that is taken. */
  publish(): Promise<boolean>;
}

const INTERRUPTS = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;

/** The name that the file has until it is complete. */
export const unfinished = (to: string): string => `${to}.part`;

/** Makes the file, empty and for its owner alone; undefined when there is one: another's, under way or killed. */
export async function createPartFile(to: string): Promise<PartFile | undefined> {
  const path = unfinished(to);
  // Before the file is made, and in the same turn of the event loop: no signal finds the one without the other.
  using guard = new DisposableStack();
  guard.use(removeOnInterrupt(path));
  if (unlessExisting(() => closeSync(openSync(path, 'wx', 0o600))) === 'exists') return undefined;
  const handle = await open(path, 'r+');
  const guarded = guard.move();
  return {
    path,
    handle,
    async publish() {
      await handle.sync();
      // Not a rename, which would replace a file that came by that name meanwhile.
      if (unlessExisting(() => linkSync(path, to)) === 'exists') return false;
      await using folder = await open(dirname(to));
      await folder.sync();
      return true;
    },
    async [Symbol.asyncDispose]() {
      await handle.close();
      rmSync(path, { force: true });
      guarded.dispose();
    },
  };
}

function removeOnInterrupt(path: string): Disposable {
  const stop = () => {
    for (const signal of INTERRUPTS) process.off(signal, remove);
  };
  const remove = (signal: NodeJS.Signals) => {
    rmSync(path, { force: true });
    stop();
    // Raised again without a listener, the signal ends the process as if nobody had listened.
    process.kill(process.pid, signal);
  };
  for (const signal of INTERRUPTS) process.on(signal, remove);
  return { [Symbol.dispose]: stop };
}

function unlessExisting(work: () => void): 'done' | 'exists' {
  try {
    work();
    return 'done';
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return 'exists';
    throw error;
  }
}
