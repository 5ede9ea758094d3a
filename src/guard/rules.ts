/** The operator's own rules: allow, deny, pause. They beat the guard. The most particular one that applies decides. */
import type { RuleAction, RuleSubject } from '../core/guarding/guard-rule.ts';

export interface OperatorRule {
  readonly action: RuleAction;
  readonly of: RuleSubject;
  /**
   * A range as the beginning of numbers (`+99899394`), a country in ISO 3166 alpha-2, a number and the network of an address in the opaque form that they are
   * asked with, a key as `account/key`.
   */
  readonly value: string;
  /** The only account whose requests it applies to; undefined: all. */
  readonly account?: string | undefined;
  /** Unix ms; undefined: until it is taken away. */
  readonly until?: number | undefined;
  readonly reason: string;
}

interface Asked {
  readonly at: number;
  readonly account: string;
  readonly key: string;
  readonly predecessors?: readonly string[] | undefined;
  readonly number: string;
  readonly destination: string;
  readonly country: string;
  readonly network?: string | undefined;
}

export type RuleFinder = (asked: Asked) => OperatorRule | undefined;

export const NO_RULE: RuleFinder = () => undefined;

/**
 * Compiles rules, so that a request costs a few look-ups, however many there are. An account's own rules cannot undo a refusal
 * that holds for all accounts, but may refuse what those allow.
 */
export function compileRules(rules: readonly OperatorRule[]): RuleFinder {
  if (rules.length === 0) return NO_RULE;
  const byAccount = Map.groupBy(rules, ({ account }) => account);
  const forAll = compileEqual(byAccount.get(undefined) ?? []);
  const forOne = new Map([...byAccount].map(([account, own]) => [account, compileEqual(own)]));
  return (asked) => {
    const general = forAll(asked);
    if (general !== undefined && general.action !== 'allow') return general;
    return (forOne.get(asked.account) ?? NO_RULE)(asked) ?? general;
  };
}

/** Of rules whose word counts the same. */
function compileEqual(rules: readonly OperatorRule[]): RuleFinder {
  if (rules.length === 0) return NO_RULE;
  // Of several for the same place one that refuses decides, and of those the one that lasts.
  const byPlace = Map.groupBy(
    rules.toSorted((a, b) => strength(b) - strength(a)),
    placeOf,
  );
  const lengths = [...new Set(rules.flatMap(({ of, value }) => (of === 'range' ? [value.length] : [])))];
  lengths.sort((a, b) => b - a);
  return ({ at, account, key, predecessors, number, destination, country, network }) => {
    const inForce = (place: string) =>
      byPlace.get(place)?.find(({ until }) => (until ?? Number.POSITIVE_INFINITY) > at);
    const found = inForce(`number ${number}`);
    if (found !== undefined) return found;
    for (const length of lengths) {
      const rule = inForce(`range ${destination.slice(0, length)}`);
      if (rule !== undefined) return rule;
    }
    return (
      inForce(`country ${country}`) ??
      (network === undefined ? undefined : inForce(`address ${network}`)) ??
      inForce(`key ${account}/${key}`) ??
      ofLine(predecessors, (earlier) => inForce(`key ${account}/${earlier}`)) ??
      inForce(`account ${account}`)
    );
  };
}

/** Of several keys that one came from, the latest decides. */
function ofLine(
  predecessors: readonly string[] | undefined,
  find: (key: string) => OperatorRule | undefined,
): OperatorRule | undefined {
  for (const key of predecessors?.toReversed() ?? []) {
    const rule = find(key);
    if (rule !== undefined) return rule;
  }
  return undefined;
}

function placeOf({ of, value }: OperatorRule): string {
  return `${of} ${value}`;
}

function strength({ action, until }: OperatorRule): number {
  return (action === 'allow' ? 0 : Number.MAX_SAFE_INTEGER / 2) + (until ?? Number.MAX_SAFE_INTEGER / 4);
}
