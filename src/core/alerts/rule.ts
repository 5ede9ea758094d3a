/** What can be alerted of, and from when on. The configuration changes only numbers and on or off. */

const [SECOND_MS, MINUTE_MS] = [1_000, 60_000];

interface Threshold {
  /** Null: the rule is off until somebody states one. */
  readonly usual: number | null;
  readonly least: number;
  readonly most: number;
  /** Whether it may have decimals. */
  readonly whole: boolean;
  /** What it counts, for people. */
  readonly unit: string;
}

interface Rule {
  /** Whose traffic or people it is about. `either`: some of what it finds belongs to one account. */
  readonly of: 'account' | 'installation' | 'either';
  readonly title: string;
  /** When it fires, for people; `N` is the threshold. */
  readonly means: string;
  readonly threshold?: Threshold;
  /** How long it must be bad before it fires. */
  readonly holdMs: number;
  /** How long it must be good before it is over. */
  readonly recoverMs: number;
  /** It tells of a moment that does not get better: its end is not told, and nobody is reminded of it. */
  readonly passing?: true;
}

const RULES = {
  'conversion-fell': {
    of: 'account',
    title: 'Conversion fell',
    means:
      'Of the codes to a country, or of one carrier, N % fewer than usual at this hour were confirmed, over an hour.',
    threshold: { usual: 30, least: 10, most: 90, whole: true, unit: '%' },
    holdMs: 5 * MINUTE_MS,
    recoverMs: 15 * MINUTE_MS,
  },
  'carrier-down': {
    of: 'installation',
    title: 'Carrier down',
    means: 'A carrier takes no messages for N minutes.',
    threshold: { usual: 5, least: 1, most: 120, whole: true, unit: 'minutes' },
    // The threshold is how long.
    holdMs: 0,
    recoverMs: 2 * MINUTE_MS,
  },
  'spend-high': {
    of: 'account',
    title: 'Spend is unusual',
    means: 'The messages of a day (UTC) cost more than N times the usual, the middle of the last seven days.',
    threshold: { usual: 3, least: 1.5, most: 100, whole: false, unit: 'times' },
    holdMs: 0,
    recoverMs: 0,
    passing: true,
  },
  'spend-over': {
    of: 'account',
    title: 'Spend is over the amount',
    means: 'The messages of a day (UTC) cost more than N.',
    threshold: { usual: null, least: 0.01, most: 1_000_000_000, whole: false, unit: 'in the currency' },
    holdMs: 0,
    recoverMs: 0,
    passing: true,
  },
  'budget-reached': {
    of: 'either',
    title: 'Budget reached',
    means: 'A budget is used to 80 %, or used up.',
    holdMs: 0,
    recoverMs: 0,
    passing: true,
  },
  'guard-acting': {
    of: 'either',
    title: 'The guard acts',
    means: 'The guard refuses requests at a place, or would.',
    holdMs: 0,
    recoverMs: 0,
  },
  'queue-late': {
    of: 'installation',
    title: 'Messages are late',
    means: 'The oldest message that waits to be sent is older than N seconds.',
    threshold: { usual: 60, least: 10, most: 600, whole: true, unit: 'seconds' },
    holdMs: 2 * MINUTE_MS,
    recoverMs: 5 * MINUTE_MS,
  },
  'certificate-expires': {
    of: 'installation',
    title: 'The certificate expires',
    means: 'The certificate of the service is valid for less than N days.',
    threshold: { usual: 14, least: 1, most: 60, whole: true, unit: 'days' },
    holdMs: 0,
    recoverMs: 0,
  },
  'sign-ins-failed': {
    of: 'account',
    title: 'Failed sign-ins',
    means: 'N passwords or codes of members were refused within an hour.',
    threshold: { usual: 20, least: 3, most: 10_000, whole: true, unit: 'in an hour' },
    holdMs: 0,
    recoverMs: 30 * MINUTE_MS,
  },
  'owner-new': {
    of: 'account',
    title: 'New owner',
    means: 'Somebody became an owner of the account.',
    holdMs: 0,
    recoverMs: 0,
    passing: true,
  },
  'factor-removed': {
    of: 'account',
    title: 'Second factor removed',
    means:
      'An owner’s authenticator or passkey was removed, or their sign-in was reset or began anew by single sign-on.',
    holdMs: 0,
    recoverMs: 0,
    passing: true,
  },
} as const satisfies Record<string, Rule>;

export type RuleName = keyof typeof RULES;

export const isRuleName = (text: string): text is RuleName => Object.hasOwn(RULES, text);

export const RULE_NAMES: readonly RuleName[] = Object.keys(RULES).filter(isRuleName);

export const ruleOf = (name: RuleName): Rule => RULES[name];

/** What the configuration says of a rule: a number is its threshold and switches it on. Undefined: the default. */
export type RuleOption = boolean | number | undefined;

/** A rule as it applies. */
export interface RuleInForce {
  readonly on: boolean;
  /** Null for a rule without, and for one that nobody stated one for. */
  readonly threshold: number | null;
}

export function inForce(name: RuleName, option?: RuleOption): RuleInForce {
  const { threshold } = ruleOf(name);
  const number = typeof option === 'number' ? option : (threshold?.usual ?? null);
  return { on: option !== false && (threshold === undefined || number !== null), threshold: number };
}

/** How long a rule holds and recovers, with its threshold. */
export function timingOf(name: RuleName, { threshold }: RuleInForce): Pick<Rule, 'holdMs' | 'recoverMs'> {
  const { holdMs, recoverMs } = ruleOf(name);
  return { holdMs: name === 'carrier-down' ? (threshold ?? 0) * 60 * SECOND_MS : holdMs, recoverMs };
}
