import {
  ALWAYS,
  type Attempt,
  type Command,
  type Key,
  type Since,
  type Span,
  type State,
  type Verification,
} from './state.ts';
import { CHANGE, fieldOf } from './table.ts';

/** What the model says is wrong. Thrown, so that a rule is one line; `Model.judge` turns it into its answer. */
export class Complaint extends Error {}
export function must(holds: boolean, why: string): asserts holds {
  if (!holds) throw new Complaint(why);
}

/** What may be in effect during a span, where a change takes up to `lag` to reach every node. */
export function inEffect<T>(changes: readonly Since<T>[], span: Span, lag = CHANGE): readonly T[] {
  const from = changes.findLastIndex((it) => it.until + lag < span.at);
  return changes
    .slice(Math.max(0, from))
    .filter((it) => it.at <= span.until)
    .map((it) => it.value);
}
/** Whether something is over that lasts `after` ms from a span: to the millisecond (api.md, Limits), and open within the span. */
export function over(since: Span, after: number, now: Span): 'no' | 'may' | 'yes' {
  if (now.at >= since.until + after) return 'yes';
  return now.until >= since.at + after ? 'may' : 'no';
}
/** A moment as some machine may tell it: the portal goes by the clocks of its machines (postgresql.md, Clocks). */
export const byMachines = ({ apart }: State, { at, until }: Span): Span => ({
  at: at - 2 * apart,
  until: until + 2 * apart,
});
export const expired = (s: State, v: Verification, now: Span) => over(v.asked, s.fixed.code.validFor, now);
export const isPast = (s: State, v: Verification, now: Span) =>
  v.erased === undefined ? over(v.asked, s.fixed.retention.verifications, now) : 'yes';

/** Whether the disk took nothing just then. */
export const isFullAt = (s: State, at: number): boolean => at >= s.fullSince && at <= s.roomSince;

/** What a full disk keeps from being written while the code is valid is lost (operations.md, When the disk is full). */
export const isLost = (s: State, v: Verification, it: Attempt): boolean =>
  isFullAt(s, it.answered) && s.roomSince >= v.asked.at + s.fixed.code.validFor;

/** Whether it can no longer be confirmed: by its time, or because it was ended. */
export function isOver(s: State, v: Verification, now: Span): 'no' | 'may' | 'yes' {
  if (v.ended?.sure === true) return 'yes';
  const time = expired(s, v, now);
  return v.ended !== undefined && time === 'no' ? 'may' : time;
}

/** The key may be used, and may be refused: it is unknown, revoked or ended (api.md, 401). */
export function keysOf(s: State, name: string, now: Span): { good: readonly Key[]; bad: boolean } {
  const all = inEffect(s.keys.get(name) ?? [{ ...ALWAYS, value: undefined }], now);
  const end = (it: Key) =>
    it.revoked || it.isLost === true ? 'yes' : it.ends === undefined ? 'no' : over(it.ends, 0, now);
  const good = all.filter((it) => it !== undefined).filter((it) => end(it) !== 'yes');
  return { good, bad: all.length > good.length || good.some((it) => end(it) !== 'no') };
}

/** Judges who asks: the key, or undefined if the request was refused for it. */
export function authenticated(s: State, name: string, command: Command, page: string): Key | undefined {
  const { good, bad } = keysOf(s, name, command);
  if (command.answer.status === 401) {
    must(bad, `the good key ${name} was refused with 401 (${page})`);
    return undefined;
  }
  const [key] = good.slice(-1);
  if (command.answer.status === 503 && key === undefined) return undefined; // read before the key was
  must(key !== undefined, `the key ${name} is unknown, revoked or ended, and not refused with 401 (${page})`);
  return key;
}

/** A refusal says when to come again (api.md; twilio.md, Errors: where a time is known). */
export function retryAfter(command: Command, page: string): void {
  const after = command.answer.headers['retry-after'];
  must(/^\d+$/.test(after ?? ''), `${command.answer.status} without a Retry-After in seconds (${page})`);
}
export const textOf = (body: unknown, name: string): string | undefined => {
  const value = fieldOf(body, name);
  return typeof value === 'string' ? value : undefined;
};
