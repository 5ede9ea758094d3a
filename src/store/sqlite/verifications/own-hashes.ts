/**
 * The hashes that a destination is counted under: the one of now, and those of before. A row keeps the earlier ones as a list
 * (store/shared/hash-list.ts) in `previous_destination_hash`, which earlier versions wrote one hash to.
 */

/** As statements take them. Where there are fewer they are null, which equals nothing. */
export const OWN_HASHES = [':hash', ':earlier', ':older', ':oldest'] as const;

/** SQL for the earlier ones of them as the list that a row keeps. */
export const EARLIER_LIST = "nullif(concat_ws(',', :earlier, :older, :oldest), '')";

export function ownHashes(hash: string, hashesBefore: readonly string[]) {
  const [earlier = null, older = null, oldest = null, ...more] = hashesBefore;
  if (more.length > 0) throw new Error('more earlier hashes than statements take');
  return { hash, earlier, older, oldest };
}

/** SQL for a table of the hashes in a list, each a `value`; empty for null. */
export function hashesIn(list: string): string {
  return `json_each('["' || replace(${list}, ',', '","') || '"]')`;
}
