/** Whether the service can work right now. */
import type { Readiness } from '../routes/operation.ts';
import type { Unfit } from './overload.ts';

export interface FitnessParts {
  /** Rejects when the store cannot be used. */
  readonly checkStore: () => Promise<void>;
  /** Whether a permanently damaged part of the store was found. */
  readonly damage: { readonly met: boolean };
  /** What is wrong with this machine's clock; undefined while it is right. */
  readonly clock: { readonly trouble: string | undefined };
  readonly load: { isOverloaded(): boolean };
}

export interface Fitness {
  /** Why no request is accepted now; undefined while they are. Called for each request. */
  readonly findUnfit: () => Unfit | undefined;
  /** For operators. Rejects when the store cannot be used. */
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
