/** Operations by name, as a thread runs them or a database is asked for them. */
type Callable<Operations> = { readonly [Name in keyof Operations]: (...args: never[]) => unknown };

export type CallAnswer<Operations extends Callable<Operations>, Name extends keyof Operations> = Awaited<
  ReturnType<Operations[Name]>
>;

/** The same operations for those who wait for the answer. */
export type Forwarded<Operations extends Callable<Operations>, Name extends keyof Operations> = {
  [Each in Name]: (...args: Parameters<Operations[Each]>) => Promise<CallAnswer<Operations, Each>>;
};

/** Makes, once, an operation of each name that hands its calls to `call`. */
export function forward<Operations extends Callable<Operations>, Name extends keyof Operations>(
  names: readonly Name[],
  call: <Each extends Name>(
    name: Each,
    args: Parameters<Operations[Each]>,
  ) => Promise<CallAnswer<Operations, Each>>,
): Forwarded<Operations, Name> {
  const forwarded: Partial<Forwarded<Operations, Name>> = {};
  const add = <Each extends Name>(name: Each) => {
    forwarded[name] = (...args: Parameters<Operations[Each]>) => call(name, args);
  };
  names.forEach(add);
  if (!hasEach<Forwarded<Operations, Name>>(forwarded, names)) throw new Error('an operation was left out');
  return forwarded;
}

function hasEach<T extends object>(found: Partial<T>, names: readonly (keyof T)[]): found is T {
  return names.every((name) => name in found);
}
