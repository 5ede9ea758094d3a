import { LONGEST_ACCOUNT_WINDOW_MS } from '../../core/accounts/account-settings.ts';
import type { Limit } from '../../core/verification/limits.ts';

/** How long, in ms, an event may count against these limits of the service, or against one that an account sets for itself. */
export function longestWindow(limits: readonly Limit[]): number {
  return Math.max(LONGEST_ACCOUNT_WINDOW_MS, ...limits.map(({ windowMs }) => windowMs));
}
