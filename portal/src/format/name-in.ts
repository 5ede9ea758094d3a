/** What a table of names has for a value that may be none of them: typed into an address, or of a later version. */
export const nameIn = <T>(names: Readonly<Record<string, T>>, value: string): T | undefined =>
  Object.hasOwn(names, value) ? names[value] : undefined;
