/** A disk that is soon full: a small tmpfs, if it may be mounted (Linux, as root). */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const SIZE_MIB = 8;

const mount = (folder: string) =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_MIB}m`, 'tmpfs', folder]).status === 0;
const unmount = (folder: string) => spawnSync('umount', ['-l', folder]);

/** Whether a file system may be mounted here; tries it. */
export function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-disk-'));
  const mounted = mount(folder);
  if (mounted) unmount(folder);
  rmdirSync(folder);
  return mounted;
}

/** A disk of a few MiB. It is removed when disposed, or when this process ends early. */
export function mountSmallDisk(): Disposable & { readonly folder: string } {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-disk-'));
  const remove = () => {
    unmount(folder);
    rmdirSync(folder);
  };
  mount(folder);
  process.once('exit', remove);
  return {
    folder,
    [Symbol.dispose]() {
      process.off('exit', remove);
      remove();
    },
  };
}

/** Writes a file until the disk is full to the last byte. */
export async function fillDisk(file: string): Promise<void> {
  for (const size of [65_536, 4_096, 512, 1]) {
    try {
      for (;;) await appendFile(file, Buffer.alloc(size));
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
    }
  }
}
