/** What an account sets for itself, beside the configuration of the service. */
import type { CodePolicy } from './code.ts';
import type { Limit } from './limits.ts';
import type { MessageOptions } from './message.ts';

/** Null or an empty list leaves what the service says. */
export interface AccountSettings {
  readonly brand: string | null;
  /** BCP 47 tag: one language for all messages. */
  readonly locale: string | null;
  readonly codeLength: number | null;
  /** Beside the limits of the service: both hold. */
  readonly sendsPerDestination: readonly Limit[];
  readonly failedGuessesPerDestination: readonly Limit[];
  /** ISO 3166 alpha-2, or `ZZ` for what has no country: only these, where any. */
  readonly countries: readonly string[];
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
 * The longest window that a limit of an account may have, in ms: both stores remember sends and failed guesses for as
 * long, however short the windows of the service are.
 */
export const LONGEST_ACCOUNT_WINDOW_MS = 86_400_000;

/** How an account's codes are drawn. */
export function codePolicyOf(policy: CodePolicy, settings: AccountSettings | undefined): CodePolicy {
  return settings === undefined || settings.codeLength === null
    ? policy
    : { ...policy, length: settings.codeLength };
}

/** How an account words its messages. */
export function messagesOf(messages: MessageOptions, settings: AccountSettings | undefined): MessageOptions {
  if (settings === undefined) return messages;
  const { brand, locale } = settings;
  return { ...messages, ...(brand !== null && { brand }), ...(locale !== null && { locale }) };
}
