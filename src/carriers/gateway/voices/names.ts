/** From each name to the primary subtag of its language, of names listed by language with spaces between. */
export function byName(names: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(names).flatMap(([language, list]) =>
      list.split(' ').map((name): [string, string] => [name, language]),
    ),
  );
}
