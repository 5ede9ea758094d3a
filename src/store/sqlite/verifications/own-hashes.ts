/**
 * The hashes that a destination is counted under: the one of now, and those of before. A row keeps the earlier ones as a list
 * (store/shared/hash-list.ts) in `previous_destination_hash`: one today, and up to three of a number that version 0.1 knew.
 */
import { splitHashes } from '../../shared/hash-list.ts';

/** As statements take them. Where there are fewer they are null, which equals nothing. */
export const OWN_HASHES = [':hash', ':earlier', ':older', ':oldest'] as const;

const ONLY_HASH = [':hash'] as const;

/** SQL for the earlier ones of them as the list that a row keeps. */
export function earlierList(hashes: readonly string[]): string {
  const [, ...earlier] = hashes;
  return earlier.length === 0 ? 'NULL' : `nullif(concat_ws(',', ${earlier.join(', ')}), '')`;
}

/**
 * Statements over a destination's hashes, chosen by its earlier ones. As a rule there are none, and a statement that looks for those
 * too takes twice to four times as long, though they are null. So there are two of each; the second is made when it is needed.
 */
export function statementsByHashes<Statements>(
  prepare: (hashes: readonly string[]) => Statements,
): (earlier: readonly string[]) => Statements {
  const ofOnlyHash = prepare(ONLY_HASH);
  let ofAll: Statements | undefined;
  return (earlier) => {
    if (earlier.length === 0) return ofOnlyHash;
    ofAll ??= prepare(OWN_HASHES);
    return ofAll;
  };
}

/** The earlier hashes of a row's number: those that the caller knows it by, or else those that the row lists. */
export function earlierHashes(
  hash: string,
  known: readonly string[] | undefined,
  list: unknown,
): readonly string[] {
  return known?.filter((each) => each !== hash) ?? splitHashes(list);
}

export function ownHashes(hash: string, hashesBefore: readonly string[]) {
  const [earlier = null, older = null, oldest = null, ...more] = hashesBefore;
  if (more.length > 0) throw new Error('more earlier hashes than statements take');
  return { hash, earlier, older, oldest };
}

/** SQL for a table of the hashes in a list, each a `value`; empty for null. */
export function hashesIn(list: string): string {
  return `json_each('["' || replace(${list}, ',', '","') || '"]')`;
}
