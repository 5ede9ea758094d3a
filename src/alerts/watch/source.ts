/** Who finds what is bad, and what they go by. */

import type { AlertFinding } from '../../core/alerts/judge.ts';
import type { RuleName } from '../../core/alerts/rule.ts';
import type { Records } from '../../core/sql/records.ts';

export interface Look {
  readonly records: Records;
  /** Unix ms, by the clock of everybody who shares the store. */
  readonly now: number;
  /** Infinite where nobody stated one. */
  readonly thresholdOf: (rule: RuleName) => number;
}

/** Answers everything that is bad, or nearly, now. Reads a bounded number of rows over indexes. */
export type AlertSource = (look: Look) => Promise<readonly AlertFinding[]>;

/** Findings of one source: what is beyond that is not told apart any more. */
export const MOST_FOUND = 500;
