/** The names of those options that are not set. */
export const lacking = (wanted: Readonly<Record<string, unknown>>): string[] =>
  Object.keys(wanted).filter((name) => wanted[name] === undefined);
