/** Long lists, read in slices: searched for a page of what matches, or walked whole for a file. */
import { query, type Records, type Row, type Value } from '../../core/sql/records.ts';

/** Each read is short, so that requests never wait for a search. */
const SLICE = 500;
const PAGE = 50;
/** What one page searches at most. */
const MOST_LOOKED_AT = 20 * SLICE;

interface Listed {
  readonly id: string;
}

/** Those that follow the one with this id, in the order of the list. */
export type ReadSlice<T extends Listed> = (after: string | undefined, limit: number) => Promise<readonly T[]>;

export type Matches<T> = (each: T) => boolean;

export interface ListPage<T> {
  readonly found: readonly T[];
  /** The cursor of the next page. */
  readonly next: string | null;
}

/** `after` is `next` of the page before. A page may have fewer than fit if few match. */
export async function searchList<T extends Listed>(
  read: ReadSlice<T>,
  matches: Matches<T> | undefined,
  after?: string,
): Promise<ListPage<T>> {
  // Where all match, the first read has the whole page.
  const size = matches === undefined ? PAGE + 1 : SLICE;
  const found: T[] = [];
  let at = after;
  for (let looked = 0; looked < MOST_LOOKED_AT; looked += size) {
    const slice = await read(at, size);
    for (const each of slice) {
      if (matches?.(each) === false) continue;
      if (found.length === PAGE) return { found, next: found.at(-1)?.id ?? null };
      found.push(each);
    }
    if (slice.length < size) return { found, next: null };
    at = slice.at(-1)?.id;
  }
  return { found, next: at ?? null };
}

/** All that match, a slice at a time. */
export async function* walkList<T extends Listed>(
  read: ReadSlice<T>,
  matches: Matches<T> = () => true,
): AsyncGenerator<readonly T[]> {
  let at: string | undefined;
  for (;;) {
    const slice = await read(at, SLICE);
    yield slice.filter(matches);
    if (slice.length < SLICE) return;
    at = slice.at(-1)?.id;
  }
}

/** Here and not in SQL, where the stores would fold capitals differently. */
export function contains(fields: readonly string[], part: string): boolean {
  const wanted = part.toLowerCase();
  return fields.some((field) => field.toLowerCase().includes(wanted));
}

/** A statement that is put together: `place` adds a value and answers its placeholder. */
export async function select(
  records: Records,
  write: (place: (value: Value) => string) => string,
): Promise<readonly Row[]> {
  const args: Value[] = [];
  const sql = write((value) => `$${args.push(value)}`);
  return query(records, sql, ...args);
}
