/** What carriers and routes may be added to the configuration, and where those that are there were set. */
import type { OptionOrigins } from '../config/option-origins.ts';
import type { Forms } from './form.ts';

export interface Proposals {
  /** Where the options of carriers and routes in effect were set; the next question may find others. */
  given(): OptionOrigins;
  describeForms(): Promise<Forms>;
}

/** Loads what it takes when somebody first asks. */
export function createProposals(current: { readonly given: OptionOrigins }): Proposals {
  return {
    given: () => current.given,
    async describeForms() {
      const [{ describeForms }, { CARRIER_TYPES }] = await Promise.all([
        import('./form.ts'),
        import('../carriers/all-types.ts'),
      ]);
      return describeForms(CARRIER_TYPES);
    },
  };
}
