/**
 * A disk whose power can be cut: an ext4 file system in an image file (Linux, as root). Data that was written but not
 * synced is in the kernel's memory and not in the image, so a copy of the image is what a machine would find after a
 * power failure.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SIZE_BYTES = 64 * 2 ** 20;
/** By default the kernel commits the file system's journal every five seconds; here only a sync does. */
const COMMIT_SECONDS = 300;

export interface Disk extends Disposable {
  readonly folder: string;
  /** Shows what would be found if the power failed now. All writers must be stopped first. */
  cutPower<T>(look: (folder: string) => T): T;
}

const ran = (program: string, ...args: string[]) => spawnSync(program, args).status === 0;
const mount = (image: string, folder: string) =>
  ran('mount', '-t', 'ext4', '-o', `loop,commit=${COMMIT_SECONDS}`, image, folder);
const unmount = (folder: string) => ran('umount', '-l', folder);

/** Undefined if such a disk cannot be made or mounted. */
export async function mountDisk(): Promise<Disk | undefined> {
  const place = mkdtempSync(join(tmpdir(), 'countersign-power-'));
  const image = join(place, 'image');
  const folder = join(place, 'disk');
  const remove = () => {
    unmount(folder);
    rmSync(place, { recursive: true, force: true });
  };
  mkdirSync(folder);
  writeFileSync(image, '');
  await truncate(image, SIZE_BYTES);
  if (!ran('mkfs.ext4', '-q', '-F', image) || !mount(image, folder)) {
    rmSync(place, { recursive: true });
    return undefined;
  }
  process.once('exit', remove);
  return {
    folder,
    cutPower(look) {
      const [copy, found] = [join(place, 'copy'), join(place, 'found')];
      copyFileSync(image, copy);
      mkdirSync(found);
      if (!mount(copy, found)) throw new Error('the file system did not survive');
      try {
        return look(found);
      } finally {
        unmount(found);
        rmSync(found, { recursive: true });
      }
    },
    [Symbol.dispose]() {
      process.off('exit', remove);
      remove();
    },
  };
}
