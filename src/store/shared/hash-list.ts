/** Hashes of one thing in one column: the one that it has now is read by itself, those of before it together. No hash has a comma. */

/** Null for none. */
export function joinHashes(hashes: readonly string[]): string | null {
  return hashes.length === 0 ? null : hashes.join(',');
}

export function splitHashes(list: unknown): string[] {
  return typeof list === 'string' ? list.split(',') : [];
}
