/**
 * Rules that operators and owners make, which beat the guard (guard.md, Your own rules). What the guard judges by itself is not known here:
 * at the beginning a rule allows everything that no other rule is about.
 */
import type { Command as Request } from '../command.ts';
import { inEffect, must, textOf } from './common.ts';
import { changes } from './operator.ts';
import type { Command, Rule, Span, State, Verification } from './state.ts';
import { ALWAYS, lineOf, listOf } from './state.ts';
import { NO_NUMBERS, planOf, stopsIn } from './table.ts';

type Asking = Pick<Verification, 'account' | 'key' | 'to'>;
const PLACES = ['number', 'range', 'country', 'key'] as const;

/** Whether a message is refused by these rules. */
function isRefused(s: State, rules: readonly Rule[], asking: Asking): boolean {
  const line = lineOf(s, asking.key);
  const decides = (account: string | undefined): Rule | undefined => {
    const its = rules.filter((it) => it.account === account && isAbout(it, asking, line));
    // the most particular one; of two for the same thing the one that refuses
    const [first] = its.toSorted(
      (one, two) =>
        PLACES.indexOf(one.of) - PLACES.indexOf(two.of) ||
        (one.of === 'key'
          ? line.indexOf(two.value) - line.indexOf(one.value)
          : two.value.length - one.value.length) ||
        Number(one.action === 'allow') - Number(two.action === 'allow'),
    );
    return first;
  };
  const general = decides(undefined);
  // that of one account cannot undo a refusal that holds for all
  const refuses = (it: Rule | undefined) => it !== undefined && it.action !== 'allow';
  return refuses(general) || refuses(decides(asking.account) ?? general);
}
/** One of a key holds for those that take its place. */
function isAbout({ of, value }: Rule, { to }: Asking, line: readonly string[]): boolean {
  if (of === 'range') return to.startsWith(value);
  if (of === 'country') return planOf(to).country === value;
  return of === 'key' ? line.includes(value) : value === to;
}

/** Whether the guard refuses: a change takes up to a second. Test keys are exempt. */
export function guardOf(
  s: State,
  asking: Asking & { readonly test: boolean },
  now: Span,
): 'no' | 'may' | 'yes' {
  if (asking.test) return 'no';
  const each = [...s.rules.values()].map((changesOfIt) => {
    const values = inEffect(changesOfIt, now);
    const isOver = (it: Rule | undefined) => it?.ends !== undefined && it.ends.at <= now.until;
    const mayBeOver = values.some(isOver) && values.some((it) => (it?.ends?.until ?? 0) > now.at);
    const still = values.map((it) => (isOver(it) ? undefined : it));
    return mayBeOver ? [...still, ...values] : still;
  });
  const all = each.reduce<readonly (readonly (Rule | undefined)[])[]>(
    (sets, values) => sets.flatMap((set) => [...new Set(values)].map((value) => [...set, value])),
    [[]],
  );
  const refused = all.map((set) =>
    isRefused(
      s,
      set.filter((it) => it !== undefined),
      asking,
    ),
  );
  return refused.every((it) => it) ? 'yes' : refused.some((it) => it) ? 'may' : 'no';
}

type Ruling = Extract<Request, { do: 'guard-rule' | 'lift-rule' }>;
/** Whose logs have it: of the account whose requests it is for, or of the one whose key it is about; else of all. */
export function concerned(s: State, rule: Pick<Rule, 'account' | 'of' | 'value'>): readonly string[] {
  const owner = rule.of === 'key' ? s.keys.get(rule.value)?.at(-1)?.value?.account : undefined;
  const one = rule.account ?? owner;
  return one === undefined ? [...s.settings.keys()] : [one];
}

export function rules(s: State, command: Command): readonly State[] {
  const ask: Request = command.command;
  if (!isRuling(ask)) return [s];
  const { at, until } = command;
  const now = s.rules.get(ask.name)?.at(-1)?.value;
  if (ask.do === 'lift-rule') {
    const isHere = now?.isKnown === true && (ask.by === undefined || now.account === ask.account);
    const isPast = now?.ends !== undefined && now.ends.at <= until;
    return changes(s, command, isHere ? (isPast ? 'may' : 'no') : 'must', PAGE, (its) => {
      listOf(its.rules, ask.name).push({ at, until, value: undefined });
    });
  }
  const { action, of, value, account, lasts } = ask;
  const key = of === 'key' ? s.keys.get(value)?.at(-1)?.value : undefined;
  const isWrong =
    of === 'key'
      ? key === undefined || (account ?? key.account) !== key.account
      : of === 'country' && value === NO_NUMBERS;
  const ends = lasts === undefined ? undefined : { at: at + lasts, until: until + lasts };
  return changes(s, command, isWrong ? 'must' : 'no', PAGE, (its, isTold) => {
    its.rules.set(ask.name, [
      { ...ALWAYS, value: undefined },
      { at, until, value: { action, of, value, account, ends, isKnown: isTold && ask.by === undefined } },
    ]);
  });
}
/** An account sees its own rules that are in force; and beside each country those that stop it, of the operator, too. */
export function judgeRules(s: State, account: string, now: Command, what: 'guard/rules' | 'countries'): void {
  const list = what === 'countries' ? stopsIn(now.answer.body) : now.answer.body;
  const shown = Array.isArray(list) ? list.map((it: unknown) => textOf(it, 'reason') ?? '') : [];
  const isStop = (it: Rule) =>
    it.of === 'country' && it.action !== 'allow' && (it.account ?? account) === account;
  const isListed = (it: Rule | undefined): it is Rule =>
    it !== undefined && (what === 'countries' ? isStop(it) : it.account === account);
  for (const [name, history] of s.rules) {
    const values = inEffect(history, now, 0);
    const isOwn = values.map((it) => isListed(it) && (it.ends?.at ?? now.until + 1) > now.until);
    const may = values.map((it) => isListed(it) && (it.ends?.until ?? now.at + 1) > now.at);
    const is = shown.includes(name);
    must(
      is ? may.includes(true) : isOwn.includes(false),
      `the rule ${name} of ${account} is ${is ? '' : 'not '}shown with ${what} (${PAGE})`,
    );
    const last = history.at(-1);
    if (is && last?.value?.account === account)
      history.push({ ...last, at: now.at, until: now.until, value: { ...last.value, isKnown: true } });
  }
  const strange = shown.find((name) => !s.rules.has(name));
  must(strange === undefined, `the rule ${strange} is shown, and nobody made it (${PAGE})`);
}
const PAGE = 'guard.md, Your own rules';

const isRuling = (ask: Request): ask is Ruling => ask.do === 'guard-rule' || ask.do === 'lift-rule';
