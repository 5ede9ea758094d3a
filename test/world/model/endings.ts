/** The codes of missed calls, which are the ends of numbers: short, each for one code at a time, and few (flashcall.md). */
import { endingsOf } from '../routes.ts';
import { expired, must, over } from './common.ts';
import { changes } from './operator.ts';
import type { Command, Span, State, Verification } from './state.ts';
import { WRITTEN } from './table.ts';

/** In digits: `code.endingLength`, as it is by default. */
export const ENDING_LENGTH = 4;
const ALL = 10 ** ENDING_LENGTH;
/** At most half of all are taken, and a fifth by one account (The numbers). */
const MOST = ALL / 2;
const MOST_OF_ACCOUNT = ALL / 5;
/** Whatever is configured (How safe it is). */
const MOST_GUESSES = 3;
/** With so many taken, all draws for a code may be of one that is. */
const MAY_BE_UNLUCKY = ALL / 4;

export const isMissedCall = ({ channel }: Pick<Verification, 'channel'>): boolean => channel === 'flashcall';

/** How many wrong codes it allows. */
export function guessesOf({ fixed: { code } }: State, v: Pick<Verification, 'channel'>): number {
  return isMissedCall(v) ? Math.min(MOST_GUESSES, code.guesses) : code.guesses;
}

/** Others have so many open codes. */
export function crowd(s: State, command: Command): readonly State[] {
  const ask = command.command;
  if (ask.do !== 'crowd') return [s];
  const { account, many, lasts } = ask;
  const { at, until } = command;
  return changes(s, command, 'no', PAGE, (its) => {
    its.crowds.push({ account, many, at, until, ends: { at: at + lasts, until: until + lasts } });
  });
}

/** Whether there is no ending for another code of that account: surely, and maybe. */
export function endingsFull(
  s: State,
  account: string,
  now: Span,
): { readonly sure: boolean; readonly may: boolean } {
  const count = (isMeant: (one: string) => boolean) => {
    const crowds = s.crowds.filter((it) => isMeant(it.account));
    const calls = s.verifications.filter((v) => isCall(v) && isMeant(v.account));
    const least = [
      ...crowds.map((it) => (over(it.ends, 0, now) === 'no' ? it.many : 0)),
      // one from before may have the ending of one of theirs
      ...calls.map((v) =>
        expired(s, v, now) === 'no' && s.crowds.every((it) => it.until < v.asked.at) ? 1 : 0,
      ),
    ];
    const most = [
      ...crowds.map((it) => (over(it.ends, 0, now) === 'yes' ? 0 : it.many)),
      ...calls.map((v) => (expired(s, v, now) === 'yes' ? 0 : 1)),
      ...[...s.unclear, ...s.spared.filter((it) => mayKeepOne(s, it, now))].map((it) =>
        over(it, s.fixed.code.validFor, now) === 'yes' ? 0 : 1,
      ),
    ];
    return { least: sum(least), most: sum(most) };
  };
  const [all, own] = [count(() => true), count((one) => one === account)];
  const sure = all.least >= MOST || own.least >= MOST_OF_ACCOUNT;
  return { sure, may: all.most >= MOST || own.most >= MOST_OF_ACCOUNT || all.most >= MAY_BE_UNLUCKY };
}

/** What was refused has one for a moment, and keeps it where giving it back could not be written. */
const mayKeepOne = (s: State, it: Span, now: Span): boolean =>
  it.until >= now.at - WRITTEN || s.deaths.some((at) => at >= it.at) || s.roomSince >= it.at;

/** A refusal says what an account may have, and says nothing of the others (The numbers). */
export function namesShare({ answer: { headers } }: Command, { fixed }: State): void {
  const policy = `"route-${fixed.code.validFor / 60_000}m";q=${MOST_OF_ACCOUNT};w=${fixed.code.validFor / 1000}`;
  const is = headers['ratelimit-policy'];
  must(is === policy, `RateLimit-Policy of a missed call is ${is} instead of ${policy} (${PAGE})`);
}

const isCall = (v: Verification) => isMissedCall(v) && !v.test;

/** Until it has expired, no other code is the same, over all accounts, whatever became of it. */
export function eachItsOwn(s: State): void {
  const calls = s.verifications.filter((v) => isCall(v) && v.code !== undefined);
  for (const [i, v] of calls.entries()) {
    const twin = calls.slice(i + 1).find((it) => it.code === v.code && expired(s, v, it.asked) === 'no');
    must(twin === undefined, `two open codes of missed calls are the same (${PAGE})`);
    const isTaken = s.crowds.some(
      (it) =>
        it.until < v.asked.at &&
        over(it.ends, 0, v.asked) === 'no' &&
        Number(v.code) % 2 === 1 &&
        endingsOf(it.many).includes(v.code ?? ''),
    );
    must(!isTaken, `a missed call has the code of another one that is open (${PAGE})`);
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, it) => all + it, 0);
const PAGE = 'flashcall.md, The numbers';
