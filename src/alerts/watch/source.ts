/** Who finds what is bad, and what they go by. */
import type { Records } from '../../core/accounts/records.ts';
import type { Finding } from '../../core/alerts/judge.ts';
import type { RuleName } from '../../core/alerts/rule.ts';

export interface Look {
  readonly records: Records;
  /** Unix ms, by the clock of everybody who shares the store. */
  readonly now: number;
  /** Infinite where nobody stated one. */
  readonly thresholdOf: (rule: RuleName) => number;
}

/** Answers everything that is bad, or nearly, now. Reads a bounded number of rows over indexes. */
export type Source = (look: Look) => Promise<readonly Finding[]>;

/** Findings of one source: what is beyond that is not told apart any more. */
export const MOST_FOUND = 500;
