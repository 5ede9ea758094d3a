import type { Feedback } from '../accounts/guarding/feedback.ts';
import type { AlertService } from '../alerts/parts.ts';
import type { IdentityDeps } from '../identity/deps.ts';
import type { ConfigurationReader } from './configuration/configuration-reader.ts';
import type { Lookup } from './lookup.ts';
import type { ServiceDefaults } from './settings/settings.ts';

/** What the portal's operations need. */
export interface Portal extends IdentityDeps {
  readonly lookup: Lookup;
  readonly isDemo: boolean;
  readonly defaults: ServiceDefaults;
  /** `webhooks.privateNetworks` of the configuration. */
  readonly privateNetworks: readonly string[];
  readonly alerts: AlertService;
  readonly feedback: Pick<Feedback, 'byMember'>;
  readonly configuration: ConfigurationReader;
}
