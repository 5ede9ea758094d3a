/** How much an embedded store can still grow. */
import { statfs } from 'node:fs/promises';

interface Place {
  readonly dataDir: string;
  readonly store: { readonly url?: string | undefined };
}

/** The bytes that a user without privileges may still write where the folder is. */
export async function measureFreeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** Measures them whenever it is called; undefined if a database is used. */
export function watchFreeBytes({ dataDir, store }: Place): (() => Promise<number>) | undefined {
  return store.url === undefined ? () => measureFreeBytes(dataDir) : undefined;
}
