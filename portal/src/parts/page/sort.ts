/** By which of its columns a table is sorted. */

export interface Column<Row> {
  readonly name: string;
  /** It holds numbers. */
  readonly figure?: boolean;
  /** What it is sorted by; null comes last, in both directions. */
  readonly by: (row: Row) => number | string | null;
}

type Direction = 'ascending' | 'descending';

export interface Sort {
  readonly name: string;
  readonly direction: Direction;
}

/** In an address: `cost-per-confirmation`, and with a `-` in front if it descends. */
const slugOf = (name: string): string => name.toLowerCase().replaceAll(' ', '-');

/** What the address says; undefined if it says nothing of these columns. */
export function sortOf(
  text: string | null,
  columns: readonly Pick<Column<never>, 'name'>[],
): Sort | undefined {
  const descends = text?.startsWith('-') ?? false;
  const slug = descends ? text?.slice(1) : text;
  const found = columns.find(({ name }) => slugOf(name) === slug);
  return found && { name: found.name, direction: descends ? 'descending' : 'ascending' };
}

/** What the address says after a press: names begin with A, figures with the highest; a third press takes it off. */
export function pressed<Row>(
  name: string,
  columns: readonly Column<Row>[],
  now: Sort | undefined,
): string | null {
  const isFigure = columns.find((column) => column.name === name)?.figure ?? false;
  const order: readonly Direction[] = isFigure ? ['descending', 'ascending'] : ['ascending', 'descending'];
  const next = now?.name === name ? order[order.indexOf(now.direction) + 1] : order[0];
  if (next === undefined) return null;
  return `${next === 'descending' ? '-' : ''}${slugOf(name)}`;
}

/** A sorted copy; equal rows keep their order. */
export function sorted<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  sort: Sort | undefined,
): readonly Row[] {
  const column = columns.find(({ name }) => name === sort?.name);
  if (sort === undefined || column === undefined) return rows;
  const sign = sort.direction === 'ascending' ? 1 : -1;
  return [...rows].sort((one, other) => {
    const [a, b] = [column.by(one), column.by(other)];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return sign * (typeof a === 'string' ? a.localeCompare(String(b)) : a - Number(b));
  });
}
