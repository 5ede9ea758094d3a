/** The operator's own rules as the store keeps them: ranges in clear, numbers and networks of people hashed and sealed. */
import type { Keyring } from '../secrets/keyring.ts';

export const RULE_ACTIONS = ['allow', 'deny', 'pause'] as const;
export type RuleAction = (typeof RULE_ACTIONS)[number];

export const RULE_SUBJECTS = ['range', 'number', 'country', 'account', 'key', 'address'] as const;
export type RuleSubject = (typeof RULE_SUBJECTS)[number];

/** The form in which the guard is asked about a number or an address. */
export function hashRuleText(
  keyring: Pick<Keyring, 'recipientTag' | 'clientNetworkHash'>,
  subject: RuleSubject,
  text: string,
): string {
  return subject === 'number' ? keyring.recipientTag(text) : keyring.clientNetworkHash(text);
}

/** Bound to its rule: where the columns of two rows are swapped, neither opens. */
export const sealRuleText = (keyring: Pick<Keyring, 'seal'>, id: string, text: string): string =>
  keyring.seal(text, contextOf(id));

/** Throws as Keyring.open does. */
export const openRuleText = (keyring: Pick<Keyring, 'open'>, id: string, sealed: string): string =>
  keyring.open(sealed, contextOf(id));

const contextOf = (id: string): string => `${id} rule`;
