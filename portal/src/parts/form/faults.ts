/** What is wrong with the fields of a form, and how that changes while people correct it. */
import { listOf, type WrongField } from '../../api/problem.ts';

/** By the name of the field; of a row, by its list and its place there: `countries.0`. */
export type Faults = ReadonlyMap<string, WrongField>;

export const NO_FAULTS: Faults = new Map();

/** The field of a row. What is wrong with all of a list has the name of the list. */
export const nameOfRow = (list: string, index: number): string => `${list}.${index}`;

/** Gives each fault to the field that shows it: a row that has no field of its own is shown by its list. */
export function placeFaults(
  errors: Faults,
  hasField: (name: string) => boolean,
): { readonly shown: Faults; readonly others: Faults } {
  const [shown, others] = [new Map<string, WrongField>(), new Map<string, WrongField>()];
  for (const [field, wrong] of errors) {
    const place = [field, listOf(field)].find(hasField);
    const at = place === undefined ? others : shown;
    // Of several rows in one field, the first is told.
    if (!at.has(place ?? field)) at.set(place ?? field, wrong);
  }
  return { shown, others };
}

/** Without those of fields that were corrected. */
export const withoutFields = (faults: Faults, fields: readonly string[]): Faults =>
  fields.some((field) => faults.has(field))
    ? new Map([...faults].filter(([field]) => !fields.includes(field)))
    : faults;

/**
 * When rows took the place of one, or none did: without those of that row and of the list as a whole. The rows below moved, and keep what
 * is wrong with them.
 */
export function withRowsReplaced(faults: Faults, list: string, index: number, count: number): Faults {
  if (count === 1) return withoutFields(faults, [list, nameOfRow(list, index)]);
  return new Map(
    [...faults].flatMap(([field, wrong]) => {
      if (field === list) return [];
      if (listOf(field) !== list) return [[field, wrong]];
      const place = Number(field.slice(list.length + 1));
      if (place === index) return [];
      return [[nameOfRow(list, place > index ? place + count - 1 : place), wrong]];
    }),
  );
}
