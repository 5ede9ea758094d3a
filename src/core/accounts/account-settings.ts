/** The settings of an account, in addition to the configuration of the service. */
import type { AccountBudget } from '../budgets/budget.ts';
import type { GuardMode } from '../guarding/guard-mode.ts';
import type { NumberRule } from '../lookups/facts.ts';
import type { MessageOptions } from '../message/message.ts';
import type { CodePolicy } from '../verification/code.ts';
import type { Limit } from '../verification/limits.ts';

/** Null or an empty list means the service's default. */
export interface AccountSettings {
  readonly brand: string | null;
  /** BCP 47 tag: one language for all messages. */
  readonly locale: string | null;
  readonly codeLength: number | null;
  /** In addition to what the service, or the operator for this account, allows: both apply. */
  readonly sendsPerDestination: readonly Limit[];
  readonly failedGuessesPerDestination: readonly Limit[];
  /** Only these are allowed, if any: ISO 3166 alpha-2, or `ZZ` for destinations without a country. */
  readonly countries: readonly string[];
  /** In addition to the service's budgets. Absent from what earlier versions wrote. */
  readonly budgets?: readonly AccountBudget[];
  /** Instead of the service's. Absent or null: the service's. */
  readonly guard?: GuardMode | null;
  /** Whether its keys may ask in the language of Twilio Verify (src/http/twilio). Absent or null: they may not. */
  readonly twilio?: true | null;
  /** Whether its keys may ask in the language of CAMARA (src/http/camara). Absent or null: they may not. */
  readonly camara?: true | null;
  /** What it sends no code to, by what look-ups say of a number. Absent or null: nothing, and none is asked. */
  readonly refuse?: NumberRule | null;
}

export const NO_SETTINGS: AccountSettings = {
  brand: null,
  locale: null,
  codeLength: null,
  sendsPerDestination: [],
  failedGuessesPerDestination: [],
  countries: [],
};

/**
 * The longest window of an account's limit, in ms. Both stores remember sends and failed guesses at least this long.
 */
export const LONGEST_ACCOUNT_WINDOW_MS = 86_400_000;

/** Whether its codes are found by their number: to be checked by it, or to end when a new one is sent there. */
export const findsByNumber = (settings: AccountSettings | undefined): boolean =>
  settings?.twilio === true || settings?.camara === true;

export function codePolicyOf(policy: CodePolicy, settings: AccountSettings | undefined): CodePolicy {
  return settings === undefined || settings.codeLength === null
    ? policy
    : { ...policy, length: settings.codeLength };
}

export function messagesOf(messages: MessageOptions, settings: AccountSettings | undefined): MessageOptions {
  if (settings === undefined) return messages;
  const { brand, locale } = settings;
  return { ...messages, ...(brand !== null && { brand }), ...(locale !== null && { locale }) };
}
