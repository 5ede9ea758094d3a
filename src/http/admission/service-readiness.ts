/** Whether the service can work right now. */
import type { Logger } from 'pino';
import { describeError } from '../../core/errors/error-facts.ts';
import { StoreFailure } from '../../core/errors/store-failure.ts';
import type { ServerNote, ServerState } from '../../core/sql/database.ts';
import type { Readiness } from '../routes/operation.ts';
import type { NotReady } from './overload.ts';

export interface ServiceReadinessParts {
  /** Rejects when the store cannot be used. */
  readonly checkStore: () => Promise<void>;
  /** The servers of the database, if there is one. */
  readonly servers: () => readonly ServerNote[];
  /** Whether a permanently damaged part of the store was found. */
  readonly damage: { readonly met: boolean };
  /** What is wrong with this machine's clock; undefined while it is right. */
  readonly clock: { readonly trouble: string | undefined };
  readonly load: { isOverloaded(): boolean };
  readonly log: Logger;
}

export interface ServiceReadiness {
  /** Why no request is accepted now; undefined while they are. Called for each request. */
  readonly findNotReady: () => NotReady | undefined;
  /** For operators. */
  readonly readiness: () => Promise<Readiness>;
}

export function createServiceReadiness({
  checkStore,
  servers,
  damage,
  clock,
  load,
  log,
}: ServiceReadinessParts): ServiceReadiness {
  return {
    findNotReady() {
      if (clock.trouble !== undefined) return 'unavailable';
      return load.isOverloaded() ? 'overloaded' : undefined;
    },
    async readiness() {
      if (damage.met) return { ready: false, parts: { store: 'damaged' } };
      const commits = await doesCommit();
      const { trouble } = clock;
      const parts = { store: commits ? 'ok' : 'unavailable', clock: trouble ?? 'ok', ...describeServers() };
      return { ready: commits && trouble === undefined, parts };
    },
  };

  async function doesCommit(): Promise<boolean> {
    try {
      await checkStore();
      return true;
    } catch (error) {
      if (!(error instanceof StoreFailure)) throw error;
      log.warn({ error: describeError(error) }, 'not ready: the store does not commit');
      return false;
    }
  }

  /** Those that are not used. The log has the rest: this is told to everybody. */
  function describeServers(): Record<string, string> {
    const refused = servers().filter(({ state }) => state !== 'used');
    return Object.fromEntries(refused.map(({ server, state }) => [`server ${server}`, STATES[state]]));
  }
}

const STATES: Readonly<Record<ServerState, string>> = {
  used: 'is used',
  unreachable: 'cannot be used',
  standby: 'is a standby',
  'read-only': 'only reads',
  'left-behind': 'was left behind by a promotion',
  'unsafe-commits': 'does not wait for its disk',
  pgpool: 'is behind pgpool-II',
};
