/** What alerts are made of, and what the portal needs of them. */
import type { AlertChange } from '../accounts/alerts/change.ts';
import type { RuleInForce, RuleName, RuleOption } from '../core/alerts/rule.ts';
import type { Clock } from '../core/seams/clock.ts';
import type { Random } from '../core/seams/random.ts';
import type { Keyring } from '../core/secrets/keyring.ts';
import type { Log } from '../core/sending/carrier.ts';
import type { QueueAge } from '../core/sending/delivery.ts';
import type { Records } from '../core/sql/records.ts';
import type { SmtpOptions } from './mail.ts';
import type { Recipient } from './notices.ts';
import type { TriedOut } from './try-out.ts';

interface AlertsConfig {
  readonly alerts: {
    readonly email: readonly string[];
    readonly webhook?: { readonly url: string; readonly secret?: string | undefined } | undefined;
    readonly accounts: boolean;
    /** By the names of the options: `carrierDown`. */
    readonly rules: Readonly<Record<string, RuleOption>>;
  };
  readonly smtp?: SmtpOptions | undefined;
  readonly webhooks: { readonly privateNetworks: readonly string[] };
  readonly publicUrl?: string | undefined;
  readonly currency: string;
}

export interface AlertsParts {
  readonly config: AlertsConfig;
  /** How often the rules are looked at. */
  readonly everyMs: number;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly random: Random;
  readonly store: Records & QueueAge & { readonly isShared: boolean };
  /** With the file of the served certificate, if this process has one. */
  readonly transport: { readonly kind: string; readonly cert?: string };
  readonly log: { readonly note: Log };
}

/** What the portal needs of alerts besides the store. */
export interface AlertService {
  /** Whether mail can be sent. */
  readonly hasMail: boolean;
  /** How many places the configuration names. */
  readonly ownPlaces: number;
  /** How many of them are also told of what concerns one account: all, or none. */
  readonly ownPlacesForAccounts: number;
  inForce(rule: RuleName): RuleInForce;
  /** Sends a test to a place of an account, and writes who asked for it. */
  tryOut(
    records: Records,
    place: Recipient,
    change: AlertChange & { readonly account: string },
  ): Promise<TriedOut>;
}
