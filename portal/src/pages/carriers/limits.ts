import type { RoutingView } from '#contract/routing.ts';
import { formatCount, formatLatency } from '../../format/number.ts';

type Carrier = RoutingView['carriers'][number];

/** What a carrier may do, such as `10 at once, 10 s to answer`. */
export function limitsOf({ rate, concurrency, timeout_ms, daily_cap, breaker }: Carrier): string {
  return [
    ...(rate === null ? [] : [`at most ${rate}`]),
    ...(concurrency === null ? [] : [`${formatCount(concurrency)} at once`]),
    ...(daily_cap === null ? [] : [`${formatCount(daily_cap)} a day`]),
    `${formatLatency(timeout_ms)} to answer`,
    `set aside after ${formatCount(breaker.failures)} failures`,
  ].join(', ');
}

/** What more than half of them have; said once, it need not stand in every row. */
export function usualLimits(carriers: readonly Carrier[]): string | undefined {
  const counts = new Map<string, number>();
  for (const limits of carriers.map(limitsOf)) counts.set(limits, (counts.get(limits) ?? 0) + 1);
  return [...counts].find(([, count]) => count > carriers.length / 2 && count > 1)?.[0];
}
