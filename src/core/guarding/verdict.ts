/**
 * What an account says of a verification of its own, once it knows better: fraud, or a genuine person. It is evidence for the guard
 * (docs/guard.md), and bounded so that it cannot be used against others, nor to be let through.
 */
export const VERDICTS = ['fraud', 'good'] as const;
export type FraudVerdict = (typeof VERDICTS)[number];

/**
 * So many codes it adds to those that were not confirmed, where the account is judged by them: 1 if it was confirmed and is fraud, -1 if it
 * was not and is good. What the guard saw already is 0.
 */
export type VerdictWeight = -1 | 0 | 1;

export interface GivenVerdict {
  readonly verdict: FraudVerdict;
  readonly weight: VerdictWeight;
  /** When it was first said, Unix ms. */
  readonly at: number;
}

/** Later than this nobody is asked any more: the guard's longest memory has half faded twice. */
export const VERDICT_MS = 7 * 86_400_000;

/**
 * So many verdicts count in a day (UTC), of one key or person, and of an account. `good` lets messages pass, so a day of lies must cost no more than a few messages; `fraud` only
 * closes what is the account's own.
 */
export const MOST_COUNTED = {
  fraud: { speaker: 50, account: 100 },
  good: { speaker: 10, account: 20 },
} as const satisfies Record<FraudVerdict, Record<'speaker' | 'account', number>>;

/** So often an account may change what it says in a day (UTC): each change is in its audit log for years. */
export const MOST_SAID = 1_000;

/**
 * One step of a transaction (core/sql/records.ts), and a guard: it writes nothing unless the verification is there, with the verdict
 * that was found, and is confirmed or not as it was found.
 */
export interface VerdictChange {
  readonly id: string;
  readonly accountId: string;
  readonly found: GivenVerdict | null;
  readonly isConfirmed: boolean;
  /** Null takes back what was said. */
  readonly given: GivenVerdict | null;
}
