/** What is wrong with the fields of a form, and how that changes while people correct it. */
import { listOf } from '../../api/problem.ts';

/** By the name of the field; of a row, by its list and its place there: `countries.0`. */
export type Faults = ReadonlyMap<string, string>;

export const NO_FAULTS: Faults = new Map();

/** The field of a row. What is wrong with all of a list has the name of the list. */
export const nameOfRow = (list: string, index: number): string => `${list}.${index}`;

/** Gives each fault to the field that shows it: a row that has no field of its own is shown by its list. */
export function placeFaults(
  errors: Faults,
  hasField: (name: string) => boolean,
): { readonly shown: Faults; readonly others: Faults } {
  const [shown, others] = [new Map<string, string>(), new Map<string, string>()];
  for (const [field, detail] of errors) {
    const place = [field, listOf(field)].find(hasField);
    const at = place === undefined ? others : shown;
    // Of several rows in one field, the first is told.
    if (!at.has(place ?? field)) at.set(place ?? field, detail);
  }
  return { shown, others };
}

/** Without those of fields that were corrected. */
export const withoutFields = (faults: Faults, fields: readonly string[]): Faults =>
  fields.some((field) => faults.has(field))
    ? new Map([...faults].filter(([field]) => !fields.includes(field)))
    : faults;

/** Without those of a row that is gone and of the list as a whole; the rows below moved up. */
export function withoutRow(faults: Faults, list: string, index: number): Faults {
  return new Map(
    [...faults].flatMap(([field, detail]) => {
      if (field === list) return [];
      if (listOf(field) !== list) return [[field, detail]];
      const place = Number(field.slice(list.length + 1));
      if (place === index) return [];
      return [[nameOfRow(list, place > index ? place - 1 : place), detail]];
    }),
  );
}
