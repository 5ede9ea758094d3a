/** What people know by its name, and the service by its code. */
export interface Named {
  readonly code: string;
  readonly name: string;
}

/** By name or code, in any case. */
export function findNamed(all: readonly Named[], text: string): string | undefined {
  const typed = text.trim().toLowerCase();
  return all.find(({ code, name }) => name.toLowerCase() === typed || code.toLowerCase() === typed)?.code;
}

/** While somebody types a name: the one that it can only be, since no other name goes on from there, or that a comma ends. */
export function typedNamed(all: readonly Named[], text: string): string | undefined {
  const [, ended] = /^(.*),\s*$/.exec(text) ?? [];
  if (ended !== undefined) return findNamed(all, ended);
  const [only, ...others] = all.filter(({ name }) => name.startsWith(text));
  return only?.name === text && others.length === 0 ? only.code : undefined;
}
