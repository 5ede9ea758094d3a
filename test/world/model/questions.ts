/** What providers were asked about numbers, what that costs, and what a process remembers of it (lookups.md). */
import type { Happening } from '../happening.ts';
import type { Fact, Lookup, Refuse } from '../lookup.ts';
import { isPast } from './common.ts';
import type { Question, Settings, Span, State, Verification } from './state.ts';
import { planOf, SECOND } from './table.ts';

/** `timeout` */
const TIMEOUT = 2 * SECOND;
/** Sooner than that. */
const SLOW = SECOND;
/** Without an answer a number is not asked about again for so long. */
const FAILED_FOR = 5 * SECOND;
/** After so many failures in a row nobody is asked for so long. */
const [MOST_FAILURES, AWAY] = [5, 10 * SECOND];

export function questioned(s: State, it: Extract<Happening, { kind: 'questioned' }>): void {
  const { at, lookup, process, number, hours, ported, since, did } = it;
  const answered = at + (did === 'hung' ? TIMEOUT : did === 'slow' ? SLOW : 0);
  const isFailure = did === 'hung' || did === 'fails';
  const says = isFailure || did === 'refuses' ? undefined : it.said;
  const question = { at, answered, lookup, process, number, hours, ported, since, says, isFailure };
  s.questions.push({ ...question, payer: undefined });
}

export const wantedBy = ({ hours, ported, types = [], recycled }: Refuse): readonly Fact[] => [
  ...(types.length > 0 ? (['lineType'] as const) : []),
  ...(hours === undefined ? [] : (['swapped'] as const)),
  ...(ported === undefined ? [] : (['ported'] as const)),
  ...(recycled === true ? (['recycled'] as const) : []),
];
/** In the order of the configuration: who can tell any of it, and is asked about numbers of the country. */
export const ableOf = (s: State, refuse: Refuse | undefined, to: string): readonly Lookup[] =>
  (s.fixed.lookups ?? []).filter(
    ({ tells, for: countries }) =>
      refuse !== undefined &&
      wantedBy(refuse).some((fact) => tells.includes(fact)) &&
      (countries === undefined || countries.includes(planOf(to).country)),
  );
/** What all questions about a number may cost, in millionths. */
export const priceOfAll = (s: State, { refuse }: Settings, to: string): number =>
  ableOf(s, refuse, to).reduce((sum, it) => sum + Math.round(it.price * 1_000_000), 0);
export const priceOfOne = (s: State, lookup: string): number =>
  Math.round((s.fixed.lookups?.find((it) => it.name === lookup)?.price ?? 0) * 1_000_000);

type Asker = Pick<Verification, 'account' | 'to'>;
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
/**
 * The days on which the account may last have confirmed the number, with live keys; '' if it may never have. `isBeside`: what was done in
 * the same moment may have come later.
 */
export function sincesOf(s: State, { account, to }: Asker, now: Span, isBeside: boolean): readonly string[] {
  const its = s.verifications.flatMap((v) => {
    const isIts = v.account === account && v.to === to && !v.test && v.confirmed !== undefined;
    const gone = isPast(s, v, now);
    return !isIts || v.confirmed === undefined || gone === 'yes' ? [] : [{ ...v.confirmed, gone }];
  });
  // whether an approval by the app confirms a number is open
  const isBefore = (it: Span) => !isBeside || it.until < now.at;
  const sure = its.filter((it) => it.gone === 'no' && !it.app && isBefore(it));
  const last = Math.max(...sure.map((it) => it.at));
  const may = its.filter((it) => it.until >= last).flatMap((it) => [dayOf(it.at), dayOf(it.until)]);
  return [...new Set([...may, ...(sure.length === 0 ? [''] : [])])];
}

const isOf = (it: Question, asker: Asker, about: Pick<Question, 'lookup' | 'hours' | 'ported' | 'since'>) =>
  it.payer?.account === asker.account &&
  it.number === asker.to &&
  it.lookup === about.lookup &&
  it.hours === about.hours &&
  it.ported === about.ported &&
  it.since === about.since;

/** How long it is remembered what came of a question. */
const keptFor = (s: State, { lookup, says }: Question): number =>
  says === undefined ? FAILED_FOR : (s.fixed.lookups?.find((it) => it.name === lookup)?.remember ?? 0);

/** What a process may remember of a number within the span. */
export function recalled(
  s: State,
  process: string | undefined,
  asker: Asker,
  about: Pick<Question, 'lookup' | 'hours' | 'ported' | 'since'>,
  now: Span,
): Question | undefined {
  return s.questions.findLast(
    (it) =>
      isOf(it, asker, about) &&
      (process === undefined || it.process === process) &&
      it.answered <= now.until &&
      now.at < it.answered + keptFor(s, it),
  );
}
/** The one that makes another superfluous: the process remembered its answer, or waited for it (lookups.md, What it costs). */
export function superfluous(s: State, asker: Asker, one: Question): Question | undefined {
  const others = s.questions.filter((it) => it !== one && it.process === one.process && isOf(it, asker, one));
  const covers = (first: Question, second: Question) =>
    first.at <= second.at && second.at < first.answered + keptFor(s, first);
  return others.find((it) => covers(it, one) || covers(one, it));
}

/** Until when a process asks a provider nothing because it failed again and again; and whether it may have begun to. */
export function awayOf(
  s: State,
  process: string | undefined,
  lookup: string,
  at: number,
): { readonly until: number; readonly isTried: boolean } | undefined {
  const its = s.questions
    .filter((it) => it.lookup === lookup && it.answered <= at && (process ?? it.process) === it.process)
    .sort((one, two) => one.answered - two.answered);
  const failures = its.slice(its.findLastIndex((it) => !it.isFailure) + 1);
  const last = failures.at(-1);
  if (last === undefined || failures.length < MOST_FAILURES) return undefined;
  // then once, and whoever comes meanwhile goes without
  const isTried = s.questions.some(
    (it) => it.lookup === lookup && it.process === last.process && it.at <= at && it.answered >= at,
  );
  return { until: last.answered + AWAY, isTried };
}
