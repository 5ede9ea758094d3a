/** Long lists, read in slices: searched for a page of what matches, or walked whole for a file. */
import { query, type Records, type Row, type Value } from '../../core/sql/records.ts';
import { formatPlace, type ListPlace } from '../list-place.ts';

/** Each read is short, so that requests never wait for a search. */
const SLICE = 500;
const PAGE = 50;
/** What one page searches at most. */
const MOST_LOOKED_AT = 20 * SLICE;

/** A list in its order. */
export interface LongList<T, P extends ListPlace = ListPlace> {
  /** Those that follow a place. */
  read(after: P | undefined, limit: number): Promise<readonly T[]>;
  placeOf(each: T): P;
}

export type Matches<T> = (each: T) => boolean;

export interface ListPage<T> {
  readonly found: readonly T[];
  /** The cursor of the next page. */
  readonly next: string | null;
}

/** `after` is where the page before ended. A page may have fewer than fit if few match. */
export async function searchList<T, P extends ListPlace>(
  list: LongList<T, P>,
  matches: Matches<T> | undefined,
  after?: P,
): Promise<ListPage<T>> {
  // Where all match, the first read has the whole page.
  const size = matches === undefined ? PAGE + 1 : SLICE;
  const found: T[] = [];
  const nextAfter = (last: T | undefined) => (last === undefined ? null : formatPlace(list.placeOf(last)));
  let at = after;
  let last: T | undefined;
  for (let looked = 0; looked < MOST_LOOKED_AT; looked += size) {
    const slice = await list.read(at, size);
    for (const each of slice) {
      if (matches?.(each) === false) continue;
      if (found.length === PAGE) return { found, next: nextAfter(found.at(-1)) };
      found.push(each);
    }
    last = slice.at(-1);
    if (slice.length < size || last === undefined) return { found, next: null };
    at = list.placeOf(last);
  }
  return { found, next: nextAfter(last) };
}

/** All that match, a slice at a time. */
export async function* walkList<T, P extends ListPlace>(
  list: LongList<T, P>,
  matches: Matches<T> = () => true,
): AsyncGenerator<readonly T[]> {
  let at: P | undefined;
  for (;;) {
    const slice = await list.read(at, SLICE);
    yield slice.filter(matches);
    const last = slice.at(-1);
    if (slice.length < SLICE || last === undefined) return;
    at = list.placeOf(last);
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
