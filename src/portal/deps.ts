import type { Logger } from 'pino';
import type { AlertService } from '../alerts/parts.ts';
import type { Clock } from '../core/seams/clock.ts';
import type { Keyring } from '../core/secrets/keyring.ts';
import type { Records } from '../core/sql/records.ts';
import type { ConfigurationReader } from './configuration/configuration-reader.ts';
import type { PortalState } from './first-run/contract.ts';
import type { Lookup } from './lookup.ts';
import type { Provider } from './oidc/provider.ts';
import type { ServiceDefaults } from './settings/settings.ts';
import type { Passwords } from './sign-in/passwords.ts';

/** What sign-in needs. */
export interface PortalDeps {
  readonly clock: Clock;
  readonly records: Records;
  readonly keyring: Keyring;
  readonly passwords: Passwords;
}

/** What the portal's operations need. */
export interface Portal extends PortalDeps {
  readonly lookup: Lookup;
  readonly defaults: ServiceDefaults;
  readonly installation: Pick<PortalState, 'oidc' | 'own_certificate'>;
  readonly providers: readonly Provider[];
  /** `webhooks.privateNetworks` of the configuration. */
  readonly privateNetworks: readonly string[];
  readonly alerts: AlertService;
  readonly configuration: ConfigurationReader;
  readonly log: Logger;
}
