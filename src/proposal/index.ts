/** What carriers and routes may be added to the configuration, and what is wrong with those that somebody proposes. */
import type { Given } from '../config/given.ts';
import type { Config } from '../config/table/schema.ts';
import type { Forms } from './form.ts';
import type { Verdict } from './verdict.ts';

/** What is in effect; the next question may find another. */
interface InEffect {
  readonly generation: { readonly config: Config };
  readonly given: Given;
}

export interface Proposals {
  /** Where the options of carriers and routes in effect were set. */
  given(): Given;
  describeForms(): Promise<Forms>;
  check(text: string): Promise<Verdict>;
}

/** Loads what it takes when somebody first asks. */
export function createProposals(current: InEffect): Proposals {
  let key: Promise<string> | undefined;
  return {
    given: () => current.given,
    async describeForms() {
      const [{ describeForms }, { CARRIER_TYPES }] = await Promise.all([
        import('./form.ts'),
        import('../carriers/registry.ts'),
      ]);
      return describeForms(CARRIER_TYPES);
    },
    async check(text) {
      const [{ checkProposal }, { makeKey }, { CARRIER_TYPES }] = await Promise.all([
        import('./check.ts'),
        import('./stand-ins.ts'),
        import('../carriers/registry.ts'),
      ]);
      key ??= makeKey();
      const privateKey = await key;
      const { generation, given } = current;
      return checkProposal(text, { ...generation.config, given }, CARRIER_TYPES, privateKey);
    },
  };
}
