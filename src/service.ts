/** The running service, for whoever started it. */
import type { KeyStore } from './core/accounts/api-key.ts';
import type { BuildState } from './portal/build-stamp.ts';
import type { ReadAgain, ReloadedBy, ReloadOutcome } from './reload/outcome.ts';

export interface Service {
  /** Port of the HTTPS service: the configured one, or a free one for 0. */
  readonly port: number;
  readonly keys: KeyStore;
  /** Takes what a running service takes of another configuration. Never rejects: what is wrong is in the outcome. */
  reload(read: ReadAgain, by: ReloadedBy): Promise<ReloadOutcome>;
  /** Makes the token for creating the portal's first owner; undefined if there is an owner. */
  openSetup(): Promise<string | undefined>;
  /** Whether the portal's front end is built, and for this version. */
  findFrontEnd(): Promise<BuildState>;
  /** Stops accepting requests, finishes or gives back what is under way, and closes. */
  stop(): Promise<void>;
}
