import { NativeSelect, Text } from '@mantine/core';
import type { FunnelFigures } from '#contract/overview.ts';
import type { ChartLine } from '../../../charts/scale.ts';
import { SeriesTable } from '../../../charts/series-table.tsx';
import { TimeSeries } from '../../../charts/time-series.tsx';
import { formatMoney, formatMoneyShort, formatRate } from '../../../format/number.ts';
import { formatMinute, formatSpan, zoneName } from '../../../format/time.ts';
import { useZone } from '../../../frame/zone.ts';
import { Explain } from '../../../parts/explain.tsx';
import { Section } from '../../../parts/page/page.tsx';
import { beginOf, conversionOf } from '../funnel/funnel.ts';
import type { Earlier, OverviewInRange } from '../query.ts';
import { MEANS } from '../words.ts';
import { between } from './range.ts';
import { asSearch } from './range-bar.tsx';

interface TrafficProps {
  readonly overview: OverviewInRange;
  readonly earlier: Earlier | undefined;
  readonly zoom: (changes: Readonly<Record<string, string | null>>) => void;
}

const SMALL = 110;
const formatShare = (share: number): string => formatRate(share, 1);

/** Codes, conversion and cost, each step with that of the period before. */
export function Traffic({ overview, earlier, zoom }: TrafficProps) {
  const [zone] = useZone();
  const { series, finished, currency } = overview;
  const [from, to] = [Date.parse(overview.from), Date.parse(overview.to)];
  const money = (value: number) => formatMoney(value, currency);
  const line = (
    name: string,
    pick: (funnel: FunnelFigures) => number | undefined,
    more: Pick<ChartLine, 'look' | 'format'> = {},
  ): ChartLine => ({
    name,
    points: series.map(({ at, funnel }) => ({ at: Date.parse(at), value: pick(funnel) ?? null })),
    ...more,
  });
  /** The same, a period earlier, at the places of this one. */
  const before = (
    name: string,
    pick: (funnel: FunnelFigures) => number | undefined,
    format?: ChartLine['format'],
  ): ChartLine[] =>
    earlier === undefined
      ? []
      : [
          {
            name,
            look: 'earlier',
            points: series.map(({ at }, index) => {
              const funnel = earlier.series[index]?.funnel;
              return { at: Date.parse(at), value: (funnel && pick(funnel)) ?? null };
            }),
            ...(format !== undefined && { format }),
          },
        ];
  const begin = beginOf(overview.total).name;
  const codes = [
    line(begin, (funnel) => beginOf(funnel).count),
    line('Delivered', ({ delivered }) => delivered),
    line('Confirmed', ({ confirmed }) => confirmed),
    ...before(`${begin} before`, (funnel) => beginOf(funnel).count),
  ];
  const conversion = [
    line('Conversion', conversionOf, { look: 'main', format: formatShare }),
    ...before('Conversion before', conversionOf, formatShare),
  ];
  const cost = [
    line('Cost', (funnel) => funnel.cost, { format: money }),
    ...before('Cost before', (funnel) => funnel.cost, money),
  ];
  const hasCost = overview.total.cost > 0 || (earlier?.total.cost ?? 0) > 0;
  const shared = {
    ...{ from, to, zone, finished, tabled: true },
    step: overview.step * 1_000,
    onBrush: (one: number, other: number) => zoom(asSearch(between(one, other))),
  };
  return (
    <Section
      title="Over time"
      about="Drag across a chart to look closer, or use the buttons above. With the keyboard, the arrow keys go along a chart."
      actions={<ZoneChoice />}
    >
      <Text size="sm" mb="md">
        Each point is {formatSpan(overview.step * 1_000)}, from {formatMinute(from, zone)} to{' '}
        {formatMinute(to, zone)}, {zoneName(zone)}.{' '}
        {finished < series.length && 'What is not over yet is dashed. '}
        {earlier !== undefined &&
          `The faint lines are the period before, from ${formatMinute(earlier.from, zone)}.`}
      </Text>
      <TimeSeries label="Codes over time" lines={codes} {...shared} />
      <Heading name="Conversion" />
      <TimeSeries
        label="Conversion over time"
        lines={conversion}
        top={1}
        formatAxis={(share) => `${share * 100}%`}
        height={SMALL}
        {...shared}
      />
      {hasCost && (
        <>
          <Heading name="Cost" />
          <TimeSeries
            label="Cost over time"
            lines={cost}
            formatAxis={(value) => formatMoneyShort(value, currency)}
            height={SMALL}
            {...shared}
          />
        </>
      )}
      <SeriesTable
        label="Figures over time"
        lines={[...codes, ...conversion, ...(hasCost ? cost : [])]}
        zone={zone}
      />
    </Section>
  );
}

function Heading({ name }: { readonly name: 'Conversion' | 'Cost' }) {
  return (
    <Text component="h3" fw={600} size="sm" mt="lg" mb={4}>
      {name}
      <Explain what={name}>{MEANS[name]}</Explain>
    </Text>
  );
}

function ZoneChoice() {
  const [zone, choose] = useZone();
  return (
    <NativeSelect
      size="xs"
      aria-label="Time zone"
      value={zone}
      onChange={(event) => choose(event.currentTarget.value === 'utc' ? 'utc' : 'local')}
      data={[
        { value: 'local', label: `Local: ${zoneName('local')}` },
        { value: 'utc', label: 'UTC' },
      ]}
    />
  );
}
