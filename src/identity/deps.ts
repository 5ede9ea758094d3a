import type { Logger } from 'pino';
import type { Clock } from '../core/seams/clock.ts';
import type { Keyring } from '../core/secrets/keyring.ts';
import type { Records } from '../core/sql/records.ts';
import type { PortalState } from './first-run/contract.ts';
import type { Provider } from './oidc/provider.ts';
import type { Passwords } from './sign-in/passwords.ts';

/** What sign-in needs. */
export interface SignInDeps {
  readonly clock: Clock;
  readonly records: Records;
  readonly keyring: Keyring;
  readonly passwords: Passwords;
}

/** What the operations of identity need. */
export interface IdentityDeps extends SignInDeps {
  readonly installation: Pick<PortalState, 'oidc' | 'own_certificate'>;
  readonly providers: readonly Provider[];
  readonly log: Logger;
}
