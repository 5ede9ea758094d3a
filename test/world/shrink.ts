/** Cuts a history down to what it takes to go wrong. */
import { replay } from './check.ts';
import type { Group, History } from './history.ts';

/** The shortest that was found which is wrong in some way; `tried` hears of each. */
export async function shrink(history: History, tried: () => void = () => {}): Promise<History> {
  const isWrong = async (groups: readonly Group[]) => {
    tried();
    try {
      return (await replay({ ...history, groups })).wrong !== undefined;
    } catch {
      // A command may name what is no longer there.
      return false;
    }
  };
  let groups = history.groups;
  for (let size = Math.ceil(groups.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < groups.length; ) {
      const shorter = await without(groups, from, size, isWrong);
      if (shorter === undefined) from += size;
      else groups = shorter;
    }
  }
  return { ...history, groups };
}

/** Verifications are called by the number of a command, so what is left out becomes a wait of no time. */
async function without(
  groups: readonly Group[],
  from: number,
  size: number,
  isWrong: (groups: readonly Group[]) => Promise<boolean>,
): Promise<readonly Group[] | undefined> {
  const cut = groups.slice(from, from + size);
  const gone = cut.reduce((sum, group) => sum + group.length, 0);
  const begin = groups.slice(0, from).reduce((sum, group) => sum + group.length, 0);
  const rest = [
    ...groups.slice(0, from),
    ...groups.slice(from + size).map((group) => group.map((each) => renumbered(each, begin, gone))),
  ];
  return (await isWrong(rest)) ? rest : undefined;
}

/** The same command after `gone` commands from number `begin` on were left out. What named one of those names nobody's. */
function renumbered(command: Group[number], begin: number, gone: number): Group[number] {
  const next = (made: number) => (made < begin ? made : made < begin + gone ? -1 : made - gone);
  if ('id' in command) return { ...command, id: next(command.id) };
  if ('of' in command && typeof command.of === 'number') return { ...command, of: next(command.of) };
  return command;
}
