import type { FunnelFigures } from '#contract/overview.ts';
import { TimeSeries } from '../../charts/time-series.tsx';
import { Section } from '../../parts/page/page.tsx';
import { beginOf } from './funnel.ts';
import type { OverviewInRange } from './query.ts';
import { between } from './range.ts';
import { asSearch } from './range-bar.tsx';
import { fillSteps } from './steps.ts';

interface TrafficProps {
  readonly overview: OverviewInRange;
  readonly zoom: (changes: Readonly<Record<string, string | null>>) => void;
}

export function Traffic({ overview, zoom }: TrafficProps) {
  const { range } = overview;
  const steps = fillSteps(overview, range);
  const line = (name: string, count: (funnel: FunnelFigures) => number) => ({
    name,
    points: steps.map(({ at, funnel }) => ({ at, value: count(funnel) })),
  });
  return (
    <Section title="Over time" about="Drag across the chart to look closer, or use the buttons above.">
      <TimeSeries
        label="Codes over time"
        from={range.from}
        to={range.to}
        lines={[
          line(beginOf(overview.total).name, (funnel) => beginOf(funnel).count),
          line('Delivered', ({ delivered }) => delivered),
          line('Confirmed', ({ confirmed }) => confirmed),
        ]}
        onBrush={(one, other) => zoom(asSearch(between(one, other)))}
      />
    </Section>
  );
}
