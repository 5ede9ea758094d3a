/** What holds for one account only. */
import { LONGEST_ACCOUNT_WINDOW_MS } from '../../core/accounts/account-settings.ts';
import { formatDuration } from '../../core/verification/limits.ts';
import type { RuleFinding } from '../problem.ts';
import type { Config } from '../table/schema.ts';

/** A store remembers sends and wrong codes for as long as the service's limits, or any account's own, ask for. */
export function* checkAccounts({ accounts, limits }: Config): Generator<RuleFinding> {
  for (const [id, { limits: ceilings }] of Object.entries(accounts)) {
    for (const kind of ['sendsPerDestination', 'failedGuessesPerDestination'] as const) {
      const longest = Math.max(LONGEST_ACCOUNT_WINDOW_MS, ...limits[kind].map(({ windowMs }) => windowMs));
      for (const [index, { windowMs }] of (ceilings[kind] ?? []).entries()) {
        if (windowMs <= longest) continue;
        yield {
          key: ['accounts', id, 'limits', kind, index],
          wrong: `has a window of ${formatDuration(windowMs)}, longer than those of limits.${kind}`,
          expected: `at most ${formatDuration(longest)}, the time that a store remembers`,
          fix: `shorten it, or give limits.${kind} a limit with this window`,
        };
      }
    }
  }
}
