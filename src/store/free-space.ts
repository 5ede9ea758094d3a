/** How much an embedded store can still grow. */
import { statfs } from 'node:fs/promises';

/** The bytes that a user without privileges may still write where the folder is. */
export async function readFreeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
