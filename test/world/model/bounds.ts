/** What lets no more messages pass (api.md, Limits; budgets.md; guard.md, Your own rules). */
import { type Ask, askOf } from './asking.ts';
import { roomsFor } from './budgets.ts';
import { isFull, limitsOfNumber, mayBeFull } from './counting.ts';
import { guardOf } from './guard.ts';
import type { Command, Counted, Key, Settings, State } from './state.ts';
import { reasonsOf } from './table.ts';

/** What lets no more messages to a number pass, surely or maybe: its limits, rules, and budgets. */
export function boundsOf(
  s: State,
  ask: Ask,
  { account, test }: Pick<Key, 'account' | 'test'>,
  all: readonly Settings[],
  command: Command,
  group: readonly Command[],
) {
  const of = { ...ask, account, test };
  const beside = outOfBudget(command, ask, group);
  const ofNumber = all.map((it) => limitsOfNumber(s, 'sends', of, command, it, beside));
  const byEach = all.map((it) => roomsFor(s, of, command, it));
  // none, if so by all settings that may be in effect
  const isNone = (name: string) => byEach.every((each) => each.some((it) => it.none && it.name === name));
  const rooms = byEach.flat().map((it) => ({ ...it, none: isNone(it.name) }));
  const guarded = guardOf(s, of, command);
  const room = rooms.find((it) => it.none);
  const forbidden = [
    ofNumber.every(isFull) && `${ask.to} got more codes than its limit allows (api.md, Limits; keys.md)`,
    guarded === 'yes' && `a code was sent to ${ask.to}, which a rule refuses (guard.md, Your own rules)`,
    room !== undefined && `the budget ${room.name} is exceeded (budgets.md)`,
  ].find((it) => it !== false);
  const may = [
    ofNumber.some(mayBeFull) && 'quota-exceeded',
    rooms.some((it) => it.mayBeNone) && 'budget-exhausted',
  ].filter((it) => it !== false);
  return { ofNumber, rooms, guarded, forbidden, may };
}
/** What a budget refuses has its place in the limits of the number for a moment (budgets.md, When it runs out). */
const outOfBudget = (command: Command, { to, door }: Ask, group: readonly Command[]): readonly Counted[] =>
  group
    .filter((it) => it.n !== command.n && askOf(it)?.to === to)
    .filter((it) =>
      reasonsOf(it.answer, askOf(it)?.door ?? door)
        .flat()
        .includes('budget-exhausted'),
    )
    .map(({ at, until }) => ({ at, until, sure: false }));
