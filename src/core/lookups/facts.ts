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
  /** It has had another subscriber since the day that was asked about. */
  readonly recycled?: boolean | undefined;
}

export type NumberFact = keyof NumberFacts;
export const FACTS = ['lineType', 'swapped', 'recycled'] as const satisfies readonly NumberFact[];

/** What an account sends no code to. */
export interface NumberRule {
  /** Null: whatever happened to the SIM. */
  readonly swappedWithinHours: number | null;
  readonly lineTypes: readonly LineType[];
  /** Whether it refuses a number that went to another subscriber since the account last confirmed it. */
  readonly recycled: boolean;
}

/** CAMARA's bound: a hundred days. */
export const MOST_HOURS = 2_400;

/** What has to be known to go by the rule. */
export function wantedBy({ swappedWithinHours, lineTypes, recycled }: NumberRule): readonly NumberFact[] {
  const isWanted = { lineType: lineTypes.length > 0, swapped: swappedWithinHours !== null, recycled };
  return FACTS.filter((fact) => isWanted[fact]);
}

/** For the operator, never for the client. */
export interface RefusedByRule {
  readonly rule: 'lookup-line-type' | 'lookup-swapped' | 'lookup-recycled';
  readonly detail: string;
}

/** Why the rule refuses a number of which so much is known; undefined if it does not. What is unknown refuses nothing. */
export function refusalBy(
  { swappedWithinHours, lineTypes, recycled }: NumberRule,
  facts: NumberFacts,
): RefusedByRule | undefined {
  const { lineType } = facts;
  if (lineType !== undefined && lineTypes.includes(lineType)) {
    return { rule: 'lookup-line-type', detail: `the line is of the type ${lineType}` };
  }
  if (facts.swapped === true && swappedWithinHours !== null) {
    return { rule: 'lookup-swapped', detail: `the SIM was swapped within ${swappedWithinHours} hours` };
  }
  if (facts.recycled === true && recycled) {
    const detail = 'the number went to another subscriber since it was last confirmed';
    return { rule: 'lookup-recycled', detail };
  }
  return undefined;
}
