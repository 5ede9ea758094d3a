import { Text } from '@mantine/core';
import type { Overview } from '#contract/overview.ts';
import { formatCount, formatLatency, formatMoney, formatRate, NONE } from '../../format/number.ts';
import { Fact } from '../../parts/fact.tsx';
import { beginOf, costOfEach, type FunnelStage, stagesOf, withoutReceipt } from './funnel.ts';
import css from './funnel-bars.module.css';

/** Each stage with its share of the whole and its median time. */
export function FunnelBars({ overview: { total, latency, currency } }: { readonly overview: Overview }) {
  const begin = beginOf(total);
  const silent = withoutReceipt(total);
  return (
    <>
      <ol className={css.funnel}>
        <Bar name={begin.name} value={formatCount(begin.count)} share={1} about="all codes" />
        {stagesOf(total).map((stage) => (
          <Bar
            key={stage.name}
            name={stage.name}
            value={stage.count === null ? NONE : formatCount(stage.count)}
            share={(stage.count ?? 0) / Math.max(1, stage.of)}
            about={aboutOf(stage, latency[stage.median].p50)}
          />
        ))}
      </ol>
      <dl className={css.figures}>
        <Fact name="Reported undelivered">{formatCount(total.undelivered)}</Fact>
        <Fact name="Without a receipt">{silent === null ? 'no receipts' : formatCount(silent)}</Fact>
        {total.failed === null ? (
          <Fact name="Attempts not accepted">{formatCount(total.attempted - total.submitted)}</Fact>
        ) : (
          <Fact name="Failed">{formatCount(total.failed)}</Fact>
        )}
        <Fact name="Cost">{formatMoney(total.cost, currency)}</Fact>
        <Fact name="Cost per confirmation">{formatMoney(costOfEach(total), currency)}</Fact>
        <Fact name="Slowest 5% confirmed after">{formatLatency(latency.confirmed.p95)}</Fact>
      </dl>
    </>
  );
}

function aboutOf({ count, of }: FunnelStage, median: number | null): string {
  if (count === null) return 'no receipts';
  const half = median === null ? '' : `, half within ${formatLatency(median)}`;
  // A message that one carrier accepted but could not deliver is accepted by another one, too.
  return count > of ? `some through a second carrier${half}` : `${formatRate(count, of)}${half}`;
}

interface BarProps {
  readonly name: string;
  readonly value: string;
  /** Of 1. */
  readonly share: number;
  readonly about: string;
}

function Bar({ name, value, share, about }: BarProps) {
  return (
    <li>
      <Text size="sm" c="dimmed">
        {name}
      </Text>
      <p className={css.count}>{value}</p>
      <svg className={css.bar} viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
        <rect className={css.whole} width="100" height="1" />
        <rect className={css.part} width={share * 100} height="1" />
      </svg>
      <Text size="sm">{about}</Text>
    </li>
  );
}
