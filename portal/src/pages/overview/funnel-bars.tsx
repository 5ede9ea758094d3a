import { Text } from '@mantine/core';
import type { Overview } from '#contract/overview.ts';
import { formatCount, formatLatency, formatMoney, formatRate } from '../../format/number.ts';
import css from './funnel-bars.module.css';

/** Each stage as a share of what was requested, and how long half of them took. */
export function FunnelBars({ overview: { total, latency, currency } }: { readonly overview: Overview }) {
  const stages = [
    { name: 'Requested', count: total.requested, median: undefined },
    { name: 'Submitted', count: total.submitted, median: latency.submitted.p50 },
    { name: 'Delivered', count: total.delivered, median: latency.delivered.p50 },
    { name: 'Confirmed', count: total.confirmed, median: latency.confirmed.p50 },
  ];
  return (
    <>
      <ol className={css.funnel}>
        {stages.map(({ name, count, median }) => (
          <li key={name}>
            <Text size="sm" c="dimmed">
              {name}
            </Text>
            <p className={css.count}>{formatCount(count)}</p>
            <svg className={css.bar} viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
              <rect className={css.whole} width="100" height="1" />
              <rect className={css.part} width={(count / Math.max(1, total.requested)) * 100} height="1" />
            </svg>
            <Text size="sm">
              {median === undefined
                ? 'all of them'
                : `${formatRate(count, total.requested)}, half within ${formatLatency(median)}`}
            </Text>
          </li>
        ))}
      </ol>
      <dl className={css.figures}>
        <Figure name="Undelivered" value={formatCount(total.undelivered)} />
        <Figure name="Failed" value={formatCount(total.failed)} />
        <Figure name="Cost" value={formatMoney(total.cost, currency)} />
        <Figure
          name="Cost of each confirmation"
          value={formatMoney(total.confirmed === 0 ? null : total.cost / total.confirmed, currency)}
        />
        <Figure name="Slowest 5% confirmed after" value={formatLatency(latency.confirmed.p95)} />
      </dl>
    </>
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
