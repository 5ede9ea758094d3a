/** A disk that is soon full: a small tmpfs, where one may be mounted (Linux, as root). */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const SIZE_MIB = 8;

const mount = (folder: string) =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_MIB}m`, 'tmpfs', folder]).status === 0;
const unmount = (folder: string) => spawnSync('umount', ['-l', folder]);

/** Whether a file system may be mounted here, found out by mounting one. */
export function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-disk-'));
  const mounted = mount(folder);
  if (mounted) unmount(folder);
  rmdirSync(folder);
  return mounted;
}

/** A disk of a few MiB, gone when disposed of or when this process ends early. */
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
