/** Plays one kept history, and has it judged. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Played, replay } from '../check.ts';
import { formatHistory, parseHistory } from '../history.ts';

/** Fails where the documents do not allow what happens. `shared` says more about the world, such as over which store it is. */
export async function playedWell(shared: string, ...lines: readonly string[]): Promise<Played> {
  const played = await replay(history(shared, ...lines));
  assert.equal(played.wrong, undefined, `${played.wrong}\n${formatHistory(played.history)}`);
  return played;
}

/** A history that once went wrong, in a line; over the embedded store, or as `shared` says. */
export const holds = (title: string, ...lines: readonly string[]) => holdsOver('', title, ...lines);
export const holdsOver = (shared: string, title: string, ...lines: readonly string[]) =>
  test(title, async () => void (await playedWell(shared, ...lines)));

/** What requests for a code were answered. */
export const answersOf = ({ happenings }: Played) =>
  happenings.flatMap((it) => (it.kind === 'command' && it.command.do === 'verify' ? [it.answer.status] : []));

/** A history in a world with a budget that is nearly too small for one message and another try. */
export function history(shared: string, ...lines: readonly string[]) {
  const fixed = {
    code: { length: 4, validFor: 600_000, guesses: 5 },
    limits: { sendsPerDestination: ['3/10m'], failedGuessesPerDestination: ['4/1h'], requestsPerKey: [] },
    retention: { verifications: 86_400_000, events: 604_800_000 },
    guard: 'off',
  };
  const live = {
    countries: [],
    route: [
      { carrier: 'one', price: 0.05 },
      { carrier: 'two', price: 0.1 },
    ],
    budgets: [{ of: 'installation', per: 'day', money: 0.4 }],
  };
  const world = `world seed=1 fixed=${JSON.stringify(fixed)} live=${JSON.stringify(live)} ${shared}`;
  return parseHistory([world, ...lines].join('\n'));
}
