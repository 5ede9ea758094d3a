import { Table, Text } from '@mantine/core';
import { useState } from 'react';
import { ScrollingTable } from '../parts/page/scroller.tsx';
import css from './chart.module.css';
import { Reader } from './reader.tsx';
import { valueTicks } from './ticks.ts';
import { useWidth } from './use-width.ts';

interface Bar {
  /** Such as `20 Nov 2026` or `1 s to 2.5 s`. */
  readonly name: string;
  readonly value: number;
  /** What is written under its edge, if anything. */
  readonly tick?: string;
}

interface BarsProps {
  readonly label: string;
  /** What each bar is of, such as a day. */
  readonly of: string;
  readonly bars: readonly Bar[];
  readonly format: (value: number) => string;
  /** Where a bar's `tick` is: a day begins with it, a bin ends with it. */
  readonly tickAt: 'start' | 'end';
}

const HEIGHT = 140;
const GAP = 2;
/** Room for a label. */
const TICK_WIDTH = 56;

/** Bars in a row. The highest is labelled; the table has all figures. */
export function Bars({ label, of, bars, format, tickAt }: BarsProps) {
  const [box, width] = useWidth();
  const [read, setRead] = useState<number>();
  const most = Math.max(0, ...bars.map(({ value }) => value));
  const top = valueTicks(most).at(-1) ?? 1;
  const step = Math.max(width, 1) / bars.length;
  const heightOf = (value: number) => (value / top) * HEIGHT;
  const highest = bars.findIndex(({ value }) => value === most);
  /** A label that begins with its bar ends with it where the picture would cut it off. */
  const placeOf = (index: number) => {
    if (tickAt === 'end') return { x: (index + 1) * step, textAnchor: 'middle' } as const;
    const fits = index * step + TICK_WIDTH <= width;
    return fits
      ? ({ x: index * step, textAnchor: 'start' } as const)
      : ({ x: (index + 1) * step, textAnchor: 'end' } as const);
  };
  const textOf = (index: number) => `${bars[index]?.name}: ${format(bars[index]?.value ?? 0)}`;
  return (
    <figure className={css.figure}>
      <div className={css.legend}>
        <Text size="sm" c="dimmed" component="span">
          {read === undefined ? '' : textOf(read)}
        </Text>
      </div>
      <div ref={box} className={css.box}>
        <Reader label={label} count={bars.length} index={read} read={setRead} textOf={textOf} />
        <svg
          className={css.chart}
          width={width}
          height={HEIGHT + 44}
          role="img"
          aria-label={`${label}, ${bars.length} bars; the figures are in the table below.`}
        >
          <g transform="translate(0 18)">
            {bars.map(({ name, value }, index) => (
              <rect
                key={name}
                className={`${css.bar} ${index === read ? css.read : ''}`}
                x={index * step}
                width={Math.max(1, step - GAP)}
                y={HEIGHT - heightOf(value)}
                height={heightOf(value)}
              >
                <title>{textOf(index)}</title>
              </rect>
            ))}
            <line className={css.axis} x2={width} y1={HEIGHT} y2={HEIGHT} />
            {most > 0 && (
              <text
                className={css.tick}
                x={(highest + 0.5) * step}
                y={HEIGHT - heightOf(most) - 6}
                textAnchor={highest > bars.length / 2 ? 'end' : 'start'}
              >
                {format(most)}
              </text>
            )}
            {bars.map(
              ({ name, tick }, index) =>
                tick !== undefined && (
                  <text key={name} className={css.tick} {...placeOf(index)} y={HEIGHT + 18}>
                    {tick}
                  </text>
                ),
            )}
          </g>
        </svg>
      </div>
      <details className={css.table}>
        <summary>Show as a table</summary>
        <ScrollingTable label={`${label}, as a table`} columns={[of, label]} figures={[label]} spacing={4}>
          {bars
            .filter(({ value }) => value > 0)
            .map(({ name, value }) => (
              <Table.Tr key={name}>
                <Table.Th scope="row">{name}</Table.Th>
                <Table.Td className="number">{format(value)}</Table.Td>
              </Table.Tr>
            ))}
        </ScrollingTable>
      </details>
    </figure>
  );
}
