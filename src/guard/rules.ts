/** The operator's own rules: allow, deny, pause. They beat the guard. The most particular one that applies decides. */

export interface OperatorRule {
  readonly action: 'allow' | 'deny' | 'pause';
  readonly of: 'range' | 'number' | 'account' | 'key' | 'address';
  /**
   * A range as the beginning of numbers (`+99899394`), a number and the network of an address in the opaque form that they are
   * asked with, a key as `account/key`.
   */
  readonly value: string;
  /** Unix ms; undefined: until it is taken away. */
  readonly until?: number | undefined;
  readonly reason: string;
}

interface RuleSubject {
  readonly at: number;
  readonly account: string;
  readonly key: string;
  readonly number: string;
  readonly destination: string;
  readonly network?: string | undefined;
}

export type RuleFinder = (subject: RuleSubject) => OperatorRule | undefined;

/** Compiles rules, so that a request costs a few look-ups, however many there are. */
export function compileRules(rules: readonly OperatorRule[]): RuleFinder {
  if (rules.length === 0) return () => undefined;
  const byPlace = new Map<string, OperatorRule>();
  for (const rule of rules) {
    const place = placeOf(rule);
    const other = byPlace.get(place);
    // Of two for the same place the one that refuses decides, and of those the one that lasts.
    if (other === undefined || strength(rule) > strength(other)) byPlace.set(place, rule);
  }
  const lengths = [...new Set(rules.flatMap(({ of, value }) => (of === 'range' ? [value.length] : [])))];
  lengths.sort((a, b) => b - a);
  return ({ at, account, key, number, destination, network }) => {
    const inForce = (place: string) => {
      const rule = byPlace.get(place);
      return rule === undefined || (rule.until ?? Number.POSITIVE_INFINITY) <= at ? undefined : rule;
    };
    const found = inForce(`number ${number}`);
    if (found !== undefined) return found;
    for (const length of lengths) {
      const rule = inForce(`range ${destination.slice(0, length)}`);
      if (rule !== undefined) return rule;
    }
    return (
      (network === undefined ? undefined : inForce(`address ${network}`)) ??
      inForce(`key ${account}/${key}`) ??
      inForce(`account ${account}`)
    );
  };
}

function placeOf({ of, value }: OperatorRule): string {
  return `${of} ${value}`;
}

function strength({ action, until }: OperatorRule): number {
  return (action === 'allow' ? 0 : Number.MAX_SAFE_INTEGER / 2) + (until ?? Number.MAX_SAFE_INTEGER / 4);
}
