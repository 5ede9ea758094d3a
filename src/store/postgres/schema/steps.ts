/** The transactions that an upgrade is made of. */
import type { Upgrade } from '../../shared/schema-files.ts';

/**
 * A line of an upgrade that ends one transaction and begins the next. One that goes on `again` is work on data, in small batches: it
 * answers true while there is more.
 */
const NEXT = /^-- next transaction(, again while it answers true)?$/m;

/** One transaction. */
export interface UpgradeStep {
  readonly text: string;
  readonly repeats: boolean;
}

export function stepsOf({ text }: Upgrade): readonly UpgradeStep[] {
  const [first = '', ...others] = text.split(NEXT);
  const steps: UpgradeStep[] = [{ text: first, repeats: false }];
  for (let i = 0; i < others.length; i += 2)
    steps.push({ text: others[i + 1] ?? '', repeats: others[i] !== undefined });
  return steps;
}
