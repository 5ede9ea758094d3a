/** The disk of a world: that of one process, or that of a database which several nodes share. It outlives the processes. */
import type { StoreRules } from '../../../src/store/port.ts';
import type { Surroundings } from '../history.ts';
import { Disk } from './disk.ts';
import type { PostgresDisk } from './postgres/disk.ts';
import { drawFrom } from './random.ts';
import type { Time } from './time.ts';

export type AnyDisk = Disk | PostgresDisk;

/** `image` is what is on the disk of one process. A database is always empty. */
export async function openDisk(
  { store, seed }: Surroundings,
  rules: StoreRules,
  time: Time,
  image: Uint8Array | undefined,
): Promise<AnyDisk> {
  if (store !== 'postgres') return new Disk(rules, image);
  // Only who plays such worlds needs a server.
  const { PostgresDisk } = await import('./postgres/disk.ts');
  const machine = { name: 'database', ahead: 0, isPaused: false };
  return PostgresDisk.open(rules, time.clockOf(machine), drawFrom(seed));
}
