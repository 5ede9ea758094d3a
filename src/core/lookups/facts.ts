/** What a look-up can say of a number, and what an account refuses by it. */

export const LINE_TYPES = [
  'mobile',
  'landline',
  'voip',
  'fixed_voip',
  'toll_free',
  'premium_rate',
  'shared_cost',
  'personal_number',
  'company_wide',
  'pager',
  'voicemail',
] as const;
export type LineType = (typeof LINE_TYPES)[number];

/** Absent or undefined: the look-up does not know. */
export interface NumberFacts {
  readonly lineType?: LineType | undefined;
  /** Its SIM was swapped within the hours that were asked about. */
  readonly swapped?: boolean | undefined;
  /** It went to another carrier within the hours that were asked about. */
  readonly ported?: boolean | undefined;
  /** It has had another subscriber since the day that was asked about. */
  readonly recycled?: boolean | undefined;
}

export type NumberFact = keyof NumberFacts;

/** What an account sends no code to. */
export interface NumberRule {
  /** Null: whatever happened to the SIM. */
  readonly swappedWithinHours: number | null;
  /** Null: whichever carrier it came from. Absent from what earlier versions wrote. */
  readonly portedWithinHours?: number | null;
  readonly lineTypes: readonly LineType[];
  /** Whether it refuses a number that went to another subscriber since the account last confirmed it. */
  readonly recycled: boolean;
}

/** CAMARA's bound: a hundred days. */
export const MOST_HOURS = 2_400;

/** What refusals by look-ups are written under, for the operator and never for the client. */
export const LOOKED_UP = ['lookup-line-type', 'lookup-swapped', 'lookup-ported', 'lookup-recycled'] as const;

interface FactRule {
  readonly refusedAs: (typeof LOOKED_UP)[number];
  readonly isWanted: (rule: NumberRule) => boolean;
  /** By a rule that goes by it. */
  readonly isRefused: (facts: NumberFacts, rule: NumberRule) => boolean;
  /** Why one number is refused. */
  readonly why: (rule: NumberRule, facts: NumberFacts) => string;
  /** What is refused, of all numbers. */
  readonly what: (rule: NumberRule) => string;
  /** The same, where there is room for few words. */
  readonly inShort: (rule: NumberRule) => string;
}

/** What each fact is to a rule, in the order in which they are judged. */
const FACT_RULES: Readonly<Record<NumberFact, FactRule>> = {
  lineType: {
    refusedAs: 'lookup-line-type',
    isWanted: ({ lineTypes }) => lineTypes.length > 0,
    isRefused: ({ lineType }, { lineTypes }) => lineType !== undefined && lineTypes.includes(lineType),
    why: (_rule, { lineType }) => `the line is of the type ${lineType}`,
    what: ({ lineTypes }) => `lines of the types ${lineTypes.join(', ')}`,
    inShort: ({ lineTypes }) => lineTypes.join(', '),
  },
  swapped: {
    refusedAs: 'lookup-swapped',
    isWanted: ({ swappedWithinHours }) => swappedWithinHours !== null,
    isRefused: ({ swapped }) => swapped === true,
    why: ({ swappedWithinHours }) => `the SIM was swapped within ${swappedWithinHours} hours`,
    what: ({ swappedWithinHours }) => `a SIM that was swapped within ${swappedWithinHours} hours`,
    inShort: ({ swappedWithinHours }) => `swapped within ${swappedWithinHours} hours`,
  },
  ported: {
    refusedAs: 'lookup-ported',
    isWanted: ({ portedWithinHours = null }) => portedWithinHours !== null,
    isRefused: ({ ported }) => ported === true,
    why: ({ portedWithinHours }) => `the number went to another carrier within ${portedWithinHours} hours`,
    what: ({ portedWithinHours }) =>
      `a number that went to another carrier within ${portedWithinHours} hours`,
    inShort: ({ portedWithinHours }) => `ported within ${portedWithinHours} hours`,
  },
  recycled: {
    refusedAs: 'lookup-recycled',
    isWanted: ({ recycled }) => recycled,
    isRefused: ({ recycled }) => recycled === true,
    why: () => 'the number went to another subscriber since it was last confirmed',
    what: () => 'a number that went to another subscriber since it was last confirmed',
    inShort: () => 'recycled',
  },
};

export const FACTS = ['lineType', 'swapped', 'ported', 'recycled'] as const satisfies readonly NumberFact[];

/** What has to be known to go by the rule. */
export function wantedBy(rule: NumberRule): readonly NumberFact[] {
  return FACTS.filter((fact) => FACT_RULES[fact].isWanted(rule));
}

/** What the rule refuses by these facts, for people. */
export function refusedBy(
  rule: NumberRule,
  words: 'what' | 'inShort',
  facts: readonly NumberFact[] = wantedBy(rule),
): readonly string[] {
  return facts.map((fact) => FACT_RULES[fact][words](rule));
}

/** For the operator, never for the client. */
export interface RefusedByRule {
  readonly rule: (typeof LOOKED_UP)[number];
  readonly detail: string;
}

/** Why the rule refuses a number of which so much is known; undefined if it does not. What is unknown refuses nothing. */
export function refusalBy(rule: NumberRule, facts: NumberFacts): RefusedByRule | undefined {
  const refusing = wantedBy(rule).find((fact) => FACT_RULES[fact].isRefused(facts, rule));
  if (refusing === undefined) return undefined;
  const { refusedAs, why } = FACT_RULES[refusing];
  return { rule: refusedAs, detail: why(rule, facts) };
}
