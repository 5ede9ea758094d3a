import { Text } from '@mantine/core';
import type { Overview } from '#contract/overview.ts';
import { formatCount, formatLatency, formatMoney, formatRate, NONE } from '../../format/number.ts';
import { beginOf, costOfEach, type FunnelStage, stagesOf, withoutReceipt } from './funnel.ts';
import css from './funnel-bars.module.css';

/** Each stage as a share of what it is made of, and how long half of it took. */
export function FunnelBars({ overview: { total, latency, currency } }: { readonly overview: Overview }) {
  const begin = beginOf(total);
  const silent = withoutReceipt(total);
  return (
    <>
      <ol className={css.funnel}>
        <Bar name={begin.name} value={formatCount(begin.count)} share={1} about="all of them" />
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
        <Figure name="Reported undelivered" value={formatCount(total.undelivered)} />
        <Figure name="Without a receipt" value={silent === null ? 'no receipts' : formatCount(silent)} />
        {total.failed === null ? (
          <Figure name="Attempts not taken" value={formatCount(total.attempted - total.submitted)} />
        ) : (
          <Figure name="Failed" value={formatCount(total.failed)} />
        )}
        <Figure name="Cost" value={formatMoney(total.cost, currency)} />
        <Figure name="Cost of each confirmation" value={formatMoney(costOfEach(total), currency)} />
        <Figure name="Slowest 5% confirmed after" value={formatLatency(latency.confirmed.p95)} />
      </dl>
    </>
  );
}

function aboutOf({ count, of }: FunnelStage, median: number | null): string {
  if (count === null) return 'no receipts';
  const half = median === null ? '' : `, half within ${formatLatency(median)}`;
  // What one carrier took and could not deliver, another one takes as well.
  return count > of ? `some by a second carrier${half}` : `${formatRate(count, of)}${half}`;
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

function Figure({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
