import { Button, Group, NativeSelect, Text } from '@mantine/core';
import type { FunnelFigures } from '#contract/overview.ts';
import type { ChartLine } from '../../../charts/scale.ts';
import { SeriesTable } from '../../../charts/series-table.tsx';
import { TimeSeries } from '../../../charts/time-series.tsx';
import { formatMoneyShort, formatRate, formatShareShort, formatSum } from '../../../format/number.ts';
import { formatMinute, formatSpan, zoneName } from '../../../format/time.ts';
import { useZone } from '../../../frame/zone.ts';
import { Section } from '../../../parts/page/page.tsx';
import { beginOf, conversionOf } from '../funnel/funnel.ts';
import type { Earlier, OverviewInRange } from '../query.ts';
import { MEANS } from '../words.ts';
import { between } from './range.ts';
import { asSearch, Moves } from './range-bar.tsx';

interface TrafficProps {
  readonly overview: OverviewInRange;
  readonly earlier: Earlier | undefined;
  readonly search: URLSearchParams;
  readonly change: (changes: Readonly<Record<string, string | null>>) => void;
}

const formatShare = (share: number): string => formatRate(share, 1);

/** Codes, conversion and cost, each step with that of the period before. */
export function Traffic({ overview, earlier, search, change }: TrafficProps) {
  const [zone] = useZone();
  const { series, finished, currency } = overview;
  const [from, to] = [Date.parse(overview.from), Date.parse(overview.to)];
  const money = (value: number) => formatSum(value, currency);
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
    look: ChartLine['look'] = format === undefined ? 'earlier' : 'mainEarlier',
  ): ChartLine[] =>
    earlier === undefined
      ? []
      : [
          {
            name,
            look,
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
    line('Cost', (funnel) => funnel.cost, { look: 'main', format: money }),
    ...before('Cost before', (funnel) => funnel.cost, money),
  ];
  const hasCost = overview.total.cost > 0 || (earlier?.total.cost ?? 0) > 0;
  const shared = {
    ...{ from, to, zone, finished, tabled: true },
    step: overview.step * 1_000,
    onBrush: (one: number, other: number) => change(asSearch(between(one, other))),
  };
  const metrics = [
    { name: 'codes', label: 'Codes', lines: codes },
    {
      ...{ name: 'conversion', label: 'Conversion', lines: conversion, top: 1 },
      formatAxis: formatShareShort,
    },
    ...(hasCost
      ? [
          {
            ...{ name: 'cost', label: 'Cost', lines: cost },
            formatAxis: (value: number) => formatMoneyShort(value, currency),
          },
        ]
      : []),
  ] as const;
  const {
    label,
    name: shown,
    ...drawn
  } = metrics.find(({ name }) => name === search.get('metric')) ?? metrics[0];
  return (
    <Section
      title="Over time"
      {...(shown !== 'codes' && { explain: MEANS[label === 'Cost' ? 'Cost' : 'Conversion'] })}
      actions={
        <Group gap="xs">
          <Button.Group aria-label="Figure of the chart">
            {metrics.map((metric) => (
              <Button
                key={metric.name}
                size="xs"
                variant={metric.name === shown ? 'light' : 'default'}
                aria-pressed={metric.name === shown}
                onClick={() => change({ metric: metric.name === 'codes' ? null : metric.name })}
              >
                {metric.label}
              </Button>
            ))}
          </Button.Group>
          <ZoneChoice />
        </Group>
      }
    >
      <TimeSeries label={`${label} over time`} {...drawn} {...shared} />
      <Group justify="space-between" align="flex-start" gap="sm" mt="sm">
        <Text size="sm" c="dimmed" maw="46rem">
          Each point is {formatSpan(overview.step * 1_000)}, from {formatMinute(from, zone)} to{' '}
          {formatMinute(to, zone)}, {zoneName(zone)}.{' '}
          {finished < series.length && 'What is not over yet is dotted on a grey ground. '}
          {earlier !== undefined &&
            `The dashed line is the period before, from ${formatMinute(earlier.from, zone)}. `}
          Drag across the chart to look closer; with the keyboard, the arrow keys go along it.
        </Text>
        <Moves search={search} change={change} />
      </Group>
      <SeriesTable
        label="Figures over time"
        lines={[...codes, ...conversion, ...(hasCost ? cost : [])]}
        zone={zone}
      />
    </Section>
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
