/** A guard taken away on purpose, and the tests that must notice. */
export interface Mutant {
  /** What does not hold any more. */
  readonly breaks: string;
  /** From the project's root. */
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly from: string;
  readonly to: string;
  /** Files, from the project's root: at least one of their tests fails with the edit, and none without it. */
  readonly tests: readonly string[];
  /** Only tests with these names, if the whole file would take long. */
  readonly named?: string;
}

/** The text of the file with the edit; throws when the edit does not fit the file any more. */
export function mutate(source: string, { file, from, to }: Mutant): string {
  const places = source.split(from).length - 1;
  if (places !== 1) throw new Error(`${file} has ${places} places, and not one, that read: ${from}`);
  // A function, because `$1` in a text would stand for something else.
  return source.replace(from, () => to);
}
