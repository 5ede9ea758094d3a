/** How a running service took a changed configuration. */
import type { OptionOrigins } from '../config/option-origins.ts';
import type { Config } from '../config/table/schema.ts';

/** Reads the configuration again, given where the options in effect came from. */
export type ReadAgain = (before: OptionOrigins) => Promise<Config>;

export interface ReloadOutcome {
  /** Unix ms. */
  readonly at: number;
  readonly by: ReloadedBy;
  /** Otherwise everything goes on as before. */
  readonly ok: boolean;
  /** The options that changed, or would have changed. Never their values. */
  readonly changed: readonly string[];
  /** Why it was refused, a line for each problem. Never holds a secret's value. */
  readonly problems: readonly string[];
}

export type ReloadedBy = 'signal' | 'command';
