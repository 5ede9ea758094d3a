/** Whether the service can do its work now, from what its parts know. */
import type { Unfit } from './overload.ts';
import type { Readiness } from './routes/operation.ts';

interface FitnessParts {
  /** Rejects when the store cannot be used. */
  readonly checkStore: () => Promise<void>;
  /** Whether a part of the store was met that is broken for good. */
  readonly damage: { readonly met: boolean };
  /** Why no request must be served by this machine's clock; undefined while it is right. */
  readonly clock: { readonly trouble: string | undefined };
  readonly load: { isOverloaded(): boolean };
}

export interface Fitness {
  /** Why no request is taken now; undefined while they are. Asked for each. */
  readonly findUnfit: () => Unfit | undefined;
  /** Asked by those who run the service. Rejects when the store cannot be used. */
  readonly readiness: () => Promise<Readiness>;
}

export function createFitness({ checkStore, damage, clock, load }: FitnessParts): Fitness {
  return {
    findUnfit() {
      if (clock.trouble !== undefined) return 'unavailable';
      return load.isOverloaded() ? 'overloaded' : undefined;
    },
    async readiness() {
      if (damage.met) return { ready: false, parts: { store: 'damaged' } };
      await checkStore();
      const { trouble } = clock;
      return { ready: trouble === undefined, parts: { store: 'ok', clock: trouble ?? 'ok' } };
    },
  };
}
