import { Text } from '@mantine/core';
import type { OverviewTotal } from '#contract/overview.ts';
import { Bars } from '../../../charts/bars.tsx';
import { formatCount, formatLatency } from '../../../format/number.ts';
import { Section } from '../../../parts/page/page.tsx';
import { MEANS } from '../words.ts';

const TITLE = 'Time to confirm';
/** Every bound would not fit. */
const TICKS: ReadonlySet<number> = new Set([100, 1_000, 10_000, 60_000, 300_000]);

/** How long people took. The bins get wider, as the bounds show. */
export function TimeToConfirm({
  overview: { confirmed_within: bins },
}: {
  readonly overview: OverviewTotal;
}) {
  if (bins.length === 0) return <Text c="dimmed">Times are not kept by key: take that filter off.</Text>;
  if (bins.every(({ count }) => count === 0)) {
    return <Text c="dimmed">No code was confirmed in this period.</Text>;
  }
  const bars = bins.map(({ ms, count }, index) => ({
    name: nameOf(bins[index - 1]?.ms ?? 0, ms),
    value: count,
    ...(ms !== null && TICKS.has(ms) && { tick: formatBound(ms) }),
  }));
  return (
    <Section
      title={TITLE}
      about="How many codes were confirmed within each time. The bins get wider to the right."
      explain={MEANS[TITLE]}
    >
      <Bars label="Confirmed codes" of="Time" bars={bars} format={formatCount} tickAt="end" />
    </Section>
  );
}

function nameOf(above: number, upTo: number | null): string {
  if (upTo === null) return `more than ${formatBound(above)}`;
  return above === 0 ? `up to ${formatBound(upTo)}` : `${formatBound(above)} to ${formatBound(upTo)}`;
}

const formatBound = (ms: number): string => formatLatency(ms).replace('.0 ', ' ');
