/**
 * Where a list goes on: what it is ordered by, of the last that was seen. The values themselves, because that one may be gone when the next
 * page is asked for.
 */
export type ListPlace<By extends string | number = string | number> = readonly [by: By, id: string];

/** As clients carry it. */
export const formatPlace = (place: ListPlace): string =>
  Buffer.from(JSON.stringify(place)).toString('base64url');

/** Undefined if it is no place in a list that is ordered by texts. */
export function readTextPlace(cursor: string): ListPlace<string> | undefined {
  const [by, id] = valuesIn(cursor);
  return isText(by) && isText(id) ? [by, id] : undefined;
}

/** Undefined if it is no place in a list that is ordered by time. */
export function readTimePlace(cursor: string): ListPlace<number> | undefined {
  const [by, id] = valuesIn(cursor);
  return Number.isSafeInteger(by) && isText(id) ? [Number(by), id] : undefined;
}

/** PostgreSQL has no text with a zero in it. */
const isText = (value: unknown): value is string => typeof value === 'string' && !value.includes('\0');

function valuesIn(cursor: string): readonly unknown[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(values) ? values : [];
  } catch {
    // It comes from outside, so it may be anything.
    return [];
  }
}
