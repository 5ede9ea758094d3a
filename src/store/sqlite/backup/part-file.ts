/** A file that gets its name when it is complete, and is deleted otherwise. */
import { closeSync, linkSync, openSync, rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { unlessExisting } from '../file/unless-existing.ts';

export interface PartFile extends AsyncDisposable {
  readonly path: string;
  readonly handle: FileHandle;
  /** Gives the file its name, durably; false if the name is taken. */
  publish(): Promise<boolean>;
}

const INTERRUPTS = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;

/** The name until the file is complete. */
export const unfinished = (to: string): string => `${to}.part`;

/** Makes an empty file for its owner only; undefined if it exists, from another run that goes on or was killed. */
export async function createPartFile(to: string): Promise<PartFile | undefined> {
  const path = unfinished(to);
  // Before the file is made and in the same turn of the event loop, so that no signal comes between the two.
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
      // Not a rename, which would replace a file that got this name meanwhile.
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
    // SQLite, which is just writing into it, may have begun a journal beside it.
    for (const name of [path, `${path}-journal`]) rmSync(name, { force: true });
    stop();
    // Without a listener, the same signal again ends the process as usual.
    process.kill(process.pid, signal);
  };
  for (const signal of INTERRUPTS) process.on(signal, remove);
  return { [Symbol.dispose]: stop };
}
