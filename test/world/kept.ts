/** Everything that must hold of what the service keeps, logs and tells, asked after each step. */
import type { Command } from './command.ts';
import type { Happening } from './happening.ts';
import type { Secrets } from './leaks.ts';
import type { Rows } from './rows.ts';
import type { Simulation } from './simulation.ts';

/** What is wrong with what the service keeps, logs and tells, after `news` happened. */
export async function judgeKept(
  simulation: Simulation,
  /** Of a store whose rows are looked at. */
  rows: Rows | undefined,
  secrets: Secrets,
  news: readonly Happening[],
  /** Whether nothing can be deleted. */
  isFull: boolean,
): Promise<string | undefined> {
  const { now } = simulation;
  secrets.learn(news);
  const hasDone = (what: Command['do']) =>
    simulation.happenings.some((each) => each.kind === 'command' && each.command.do === what);
  const isErased = hasDone('erase');
  // a crowd is deleted in many parts, between which the world’s time goes in leaps
  let wrong = rows?.stale(now, isFull, hasDone('crowd')) ?? (await rows?.tampered(now));
  for (const line of simulation.takeLog()) wrong ??= secrets.findIn('the log', line);
  for (const each of news) wrong ??= secrets.findInHappening(each);
  if (rows === undefined || rows.isUnchanged()) return wrong;
  const questions = simulation.happenings.filter((each) => each.kind === 'questioned');
  const paid = questions.reduce((sum, { lookup }) => sum + simulation.priceOf(lookup), 0);
  // what an application was answered before it asked again is not told
  const isOpen = simulation.happenings.some(
    (each) => each.kind === 'command' && (each.answer.status === 503 || each.command.do === 'app-start'),
  );
  wrong ??= rows.miscounted(now, isErased, paid, isOpen);
  for (const [table, text] of rows.texts()) wrong ??= secrets.findIn(table, text);
  return wrong;
}
