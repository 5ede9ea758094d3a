/** Who is asked about a number before a code is sent to it, and what becomes of the request (lookups.md). */
import type { Fact, Lookup, Refuse } from '../lookup.ts';
import { roomsFor } from './budgets.ts';
import { must } from './common.ts';
import {
  ableOf,
  awayOf,
  priceOfAll,
  priceOfOne,
  recalled,
  sincesOf,
  superfluous,
  wantedBy,
} from './questions.ts';
import type { Command, Question, Settings, Span, State, Verification } from './state.ts';

const PAGE = 'lookups.md';
type Asker = Pick<Verification, 'account' | 'key' | 'to' | 'test' | 'channel' | 'only'>;
type Became = 'sent' | 'guarded' | 'unanswered' | 'other';

/** How a request may have gone: what it asked, and what then became of it by what was known. */
interface Course {
  readonly asked: readonly Question[];
  /** `unknown`: somebody would have had to be asked, and was not. */
  readonly became: 'sent' | 'guarded' | 'unanswered' | 'unknown';
  /** Who decided it. */
  readonly by: string;
}

/** Of one call of the client, and more. */
const MOST_TRIES = 5;
const NOBODY: Course = { asked: [], became: 'sent', by: '' };

/**
 * Explains the questions of a request, and whether it may have become this: undefined if not. What was asked is paid by who asked.
 * `isBeside`: other requests came in the same moment.
 */
export function lookUp(
  s: State,
  asker: Asker,
  all: readonly Settings[],
  command: Command,
  became: Became | 'any',
  isBeside: boolean,
): { readonly isPaid: boolean } | undefined {
  const courses = asker.test ? [NOBODY] : all.flatMap((it) => coursesOf(s, asker, it, command, isBeside));
  const fitting = courses.filter((it) => fits(it, became, isBeside, command));
  // the one that explains most of what was asked
  const course = fitting.toSorted((one, two) => two.asked.length - one.asked.length)[0];
  if (became === 'sent') {
    const { became: instead, by } = courses[0] ?? NOBODY;
    must(course !== undefined, `${complaint(asker, instead, by)} (${PAGE})`);
  }
  if (course === undefined) return undefined;
  for (const question of course.asked) pay(s, asker, all, question, command, isBeside);
  return { isPaid: course.asked.length > 0 };
}

/** Of a 503: because somebody gave no answer who has to, or whatever was asked before. What was paid for more than that nobody knows. */
export function lookUpUnheard(
  s: State,
  asker: Asker,
  all: readonly Settings[],
  command: Command,
  isBeside: boolean,
): void {
  if (lookUp(s, asker, all, command, 'unanswered', isBeside) !== undefined) s.unanswered.push(command.n);
  else lookUp(s, asker, all, command, 'any', isBeside);
  mayHavePaid(s, asker, all, command);
}
/** An application asks again where it heard nothing, so what it was answered at last does not tell, either. */
export function mayHavePaid(
  s: State,
  asker: Asker,
  all: readonly Settings[],
  { at, until, command: ask }: Command,
): void {
  const tries = ask.do === 'app-start' ? MOST_TRIES : 1;
  const price = tries * Math.max(...all.map((it) => priceOfAll(s, it, asker.to)));
  const { account, key, to, test } = asker;
  if (price > 0 && !test) s.doubts.push({ account, key, to, asked: { at, until }, price });
}

function complaint({ to, account }: Asker, instead: Course['became'], by: string): string {
  if (instead === 'guarded') return `a code was sent to ${to}, which ${account} refuses by what ${by} said`;
  if (instead === 'unanswered')
    return `a code was sent to ${to} though ${by} gave no answer, and fails closed`;
  return `a code was sent to ${to}, and ${by} was not asked`;
}

/** A refusal by something else comes before the next question, or between the last and the code, where others were quicker. */
function fits(course: Course, became: Became | 'any', isBeside: boolean, { at, until }: Command): boolean {
  if (became === 'any') return true;
  if (became === 'sent' || became === 'guarded' || became === 'unanswered') return course.became === became;
  return course.asked.length === 0 || course.became === 'unknown' || isBeside || until > at;
}

function coursesOf(
  s: State,
  asker: Asker,
  { refuse }: Settings,
  command: Command,
  isBeside: boolean,
): readonly Course[] {
  const able = ableOf(s, refuse, asker.to);
  if (refuse === undefined || able.length === 0) return [NOBODY];
  const sinces = wantedBy(refuse).includes('recycled') ? sincesOf(s, asker, command, isBeside) : [''];
  return sinces.map((since) => courseOf(s, asker, refuse, able, since, command));
}

function courseOf(
  s: State,
  asker: Asker,
  refuse: Refuse,
  able: readonly Lookup[],
  since: string,
  command: Command,
): Course {
  // a number that was never confirmed is not asked about
  const needed = wantedBy(refuse).filter((fact) => fact !== 'recycled' || since !== '');
  const [hours, ported] = [wordOf(refuse.hours), wordOf(refuse.ported)];
  const { to, account } = asker;
  // an application asks again where it got no answer, maybe another process
  const isOften = command.command.do === 'app-start';
  const process = isOften ? undefined : command.process;
  const isOwn = (it: Question) =>
    it.payer === undefined &&
    it.number === to &&
    it.hours === hours &&
    it.ported === ported &&
    it.since === since &&
    it.at >= command.at &&
    it.at <= command.until &&
    (process ?? it.process) === it.process;
  let known: Facts = {};
  const unanswered = new Map<Fact, string>();
  const asked: Question[] = [];
  for (const { name, tells, closed } of able) {
    const lacking = needed.filter((fact) => known[fact] === undefined && tells.includes(fact));
    if (lacking.length === 0) continue;
    const its = s.questions.filter(
      (it) => isOwn(it) && it.lookup === name && it.at >= (asked.at(-1)?.answered ?? 0),
    );
    const own = isOften ? its : its.slice(0, 1);
    asked.push(...own);
    const about = { lookup: name, hours, ported, since };
    const answer = own.at(-1) ?? recalled(s, process, { account, to }, about, command);
    if (answer === undefined && !mayBeAway(s, process, name, command))
      return { asked, became: 'unknown', by: name };
    if (answer?.says === undefined) {
      if (closed === true) for (const fact of lacking) unanswered.set(fact, name);
      continue;
    }
    known = { ...toldBy(answer.says, tells), ...known };
    // another that does not know says nothing in place of one that did not answer
    for (const fact of lacking) if (known[fact] !== undefined) unanswered.delete(fact);
    if (isRefused(refuse, known)) return { asked, became: 'guarded', by: name };
  }
  const [by] = unanswered.values();
  return by === undefined ? { asked, became: 'sent', by: '' } : { asked, became: 'unanswered', by };
}

const wordOf = (hours?: number): string => hours?.toString() ?? '';

type Facts = NonNullable<Question['says']>;
const toldBy = (says: Facts, tells: readonly Fact[]): Facts =>
  Object.fromEntries(
    Object.entries(says).filter(([fact, value]) => value !== undefined && tells.some((it) => it === fact)),
  );
/** What is not known refuses nothing. */
const isRefused = ({ types = [], hours, ported, recycled }: Refuse, known: Facts): boolean =>
  (known.lineType !== undefined && types.includes(known.lineType)) ||
  (hours !== undefined && known.swapped === true) ||
  (ported !== undefined && known.ported === true) ||
  (recycled === true && known.recycled === true);

function mayBeAway(s: State, process: string | undefined, lookup: string, now: Span): boolean {
  const away = awayOf(s, process, lookup, now.until);
  return away !== undefined && (now.at < away.until || away.isTried);
}

/** It is paid by who asked, from what has room for it and for the message; nothing is asked twice, and nobody who is away. */
function pay(
  s: State,
  asker: Asker,
  all: readonly Settings[],
  it: Question,
  { at, until }: Span,
  isBeside: boolean,
): void {
  const { lookup, number, process } = it;
  const price = priceOfOne(s, lookup);
  const full = all.map((each) => roomsFor(s, asker, { at, until }, each, price).find((room) => room.none));
  // others of the moment may have taken the room between question and code
  const isFull = !isBeside && full.every((room) => room !== undefined);
  must(
    !isFull,
    `${lookup} was asked, and the budget ${full[0]?.name} has no room for that and the message (${PAGE})`,
  );
  must(
    superfluous(s, asker, it) === undefined,
    `${lookup} was asked again about ${number} (${PAGE}, What it costs)`,
  );
  const away = awayOf(s, process, lookup, it.at - 1);
  const isAway = away !== undefined && it.at < away.until;
  must(!isAway, `${lookup} was asked though it is away (${PAGE}, When a provider is away)`);
  it.payer = { account: asker.account, key: asker.key, to: asker.to, asked: { at, until } };
}

/** What was asked for nobody: for keys of tests, replays, whom something else refuses, accounts that refuse nothing, other channels. */
export function explained(s: State, start: number): void {
  const it = s.questions.find((one) => one.payer === undefined && one.at < start);
  must(it === undefined, `${it?.lookup} was asked about ${it?.number}, which nobody had to know (${PAGE})`);
}
