/** What was found about a proposal. Holds nothing of a secret. */
import type { ConfigProblem } from '../config/problem.ts';
import type { Warning } from '../config/warnings.ts';

export interface ProposalProblem extends ConfigProblem {
  /** The option in the proposal, such as `carriers.acme.host` or `routes.0.countries`; null if it is one in effect. */
  readonly option: string | null;
  /** In the proposal. */
  readonly line: number | null;
}

export interface Verdict {
  readonly problems: readonly ProposalProblem[];
  /** Those that are not there already. */
  readonly warnings: readonly Warning[];
  /** After how many of the routes in effect those of the proposal come, so that all of them take something. */
  readonly routesBefore: number;
  /** Options that name files, which nobody opened. */
  readonly files: readonly string[];
}
