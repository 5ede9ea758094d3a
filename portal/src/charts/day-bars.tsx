import { Table } from '@mantine/core';
import { formatDay, formatTick } from '../format/time.ts';
import { ScrollingTable } from '../parts/page/scroller.tsx';
import css from './day-bars.module.css';
import { niceCeiling, type Point } from './scale.ts';
import { useWidth } from './use-width.ts';

interface DayBarsProps {
  readonly label: string;
  /** A bar for each day, in order. */
  readonly days: readonly Point[];
  readonly format: (value: number) => string;
}

const HEIGHT = 140;
const GAP = 2;

/** A bar for each day. The highest is labelled; the table has all figures. */
export function DayBars({ label, days, format }: DayBarsProps) {
  const [box, width] = useWidth();
  const most = Math.max(...days.map(({ value }) => value));
  // Money is often less than the 4 that an axis of counts ends at.
  const top = most > 4 ? niceCeiling(most) : most || 1;
  const step = Math.max(width, 1) / days.length;
  const heightOf = (value: number) => (value / top) * HEIGHT;
  const ticks = days.filter((_, index) => index % 7 === 0);
  const highest = days.find(({ value }) => value === most);
  return (
    <figure className={css.figure}>
      <div ref={box}>
        <svg
          className={css.chart}
          width={width}
          height={HEIGHT + 44}
          role="img"
          aria-label={`${label}, of ${days.length} days; the figures are in the table below.`}
        >
          <g transform="translate(0 18)">
            {days.map(({ at, value }, index) => (
              <rect
                key={at}
                className={css.bar}
                x={index * step}
                width={Math.max(1, step - GAP)}
                y={HEIGHT - heightOf(value)}
                height={heightOf(value)}
              >
                <title>{`${formatDay(at)}: ${format(value)}`}</title>
              </rect>
            ))}
            <line className={css.axis} x2={width} y1={HEIGHT} y2={HEIGHT} />
            {highest !== undefined && most > 0 && (
              <text
                className={css.tick}
                x={(days.indexOf(highest) + 0.5) * step}
                y={HEIGHT - heightOf(most) - 6}
                textAnchor={days.indexOf(highest) > days.length / 2 ? 'end' : 'start'}
              >
                {format(most)}
              </text>
            )}
            {ticks.map(({ at }, index) => (
              <text key={at} className={css.tick} x={index * 7 * step} y={HEIGHT + 18}>
                {formatTick(at, Number.POSITIVE_INFINITY)}
              </text>
            ))}
          </g>
        </svg>
      </div>
      <details className={css.table}>
        <summary>Show as a table</summary>
        <ScrollingTable label={`${label}, as a table`} columns={['Day', label]} figures={[label]} spacing={4}>
          {days
            .filter(({ value }) => value > 0)
            .map(({ at, value }) => (
              <Table.Tr key={at}>
                <Table.Th scope="row">{formatDay(at)}</Table.Th>
                <Table.Td className="number">{format(value)}</Table.Td>
              </Table.Tr>
            ))}
        </ScrollingTable>
      </details>
    </figure>
  );
}
