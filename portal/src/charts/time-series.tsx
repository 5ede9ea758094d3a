import { Text } from '@mantine/core';
import { type PointerEvent, useState } from 'react';
import { formatCompact, formatCount, NONE } from '../format/number.ts';
import { formatMinute, type Zone } from '../format/time.ts';
import chart from './chart.module.css';
import { Reader } from './reader.tsx';
import { areaPath, atOf, type ChartFrame, type ChartLine, linePath, nearest, xOf, yOf } from './scale.ts';
import { SeriesTable } from './series-table.tsx';
import { timeTicks, valueTicks } from './ticks.ts';
import css from './time-series.module.css';
import { useWidth } from './use-width.ts';

interface TimeSeriesProps {
  readonly label: string;
  /** ms */
  readonly from: number;
  readonly to: number;
  readonly zone?: Zone;
  /** All with points at the same instants. */
  readonly lines: readonly ChartLine[];
  /** The width of a point's step in ms: it is drawn in the middle. */
  readonly step?: number;
  /** How many points are over; the line to the ones after them is dashed. */
  readonly finished?: number;
  /** Where the axis ends, if that is fixed, as of a share. */
  readonly top?: number;
  readonly formatAxis?: (value: number) => string;
  readonly height?: number;
  /** The figures are in another table. */
  readonly tabled?: boolean;
  /** Called with the two instants of a drag, in any order. */
  readonly onBrush?: (one: number, other: number) => void;
}

const LEFT = 52;
/** Half of the widest label of a time, which may stand under the end of the axis. */
const RIGHT = 24;
const PER_TICK = 64;
const LOOKS = ['base', 'second', 'main'] as const;

const isEarlier = (look: ChartLine['look']) => look === 'earlier' || look === 'mainEarlier';

const textOfValue = ({ points, format = formatCount }: ChartLine, index: number): string => {
  const value = points[index]?.value ?? null;
  return value === null ? NONE : format(value);
};

export function TimeSeries({
  label,
  from,
  to,
  zone = 'local',
  lines,
  step = 0,
  finished,
  top,
  formatAxis = formatCompact,
  height = 200,
  tabled = false,
  onBrush,
}: TimeSeriesProps) {
  const [box, width] = useWidth();
  const [drag, setDrag] = useState<number>();
  const [pointed, setPointed] = useState<number>();
  const [read, setRead] = useState<number>();
  const most = Math.max(0, ...lines.flatMap(({ points }) => points.map(({ value }) => value ?? 0)));
  const counts = lines.every(({ format }) => format === undefined);
  const ticks = top === undefined ? valueTicks(most, counts ? 1 : 0) : [0, top / 2, top];
  const max = ticks.at(-1) ?? 1;
  const frame: ChartFrame = { width: Math.max(width - LEFT - RIGHT, 1), height, from, to, max };
  const drawn = lines.map((line, n) => ({
    ...line,
    look: line.look ?? LOOKS[n] ?? 'second',
    points: line.points.map(({ at, value }) => ({ at: at + step / 2, value })),
  }));
  const placeOf = (event: PointerEvent<SVGSVGElement>): number =>
    atOf(event.clientX - event.currentTarget.getBoundingClientRect().left - LEFT, frame);

  function release(event: PointerEvent<SVGSVGElement>): void {
    const at = placeOf(event);
    // A press that hardly moved is not a drag.
    if (drag !== undefined && Math.abs(xOf(at, frame) - xOf(drag, frame)) > 8) onBrush?.(drag, at);
    setDrag(undefined);
  }

  const points = drawn[0]?.points ?? [];
  const index = pointed === undefined ? read : nearest(points, pointed);
  const at = index === undefined ? undefined : points[index]?.at;
  const isOver = (n: number) => finished === undefined || n < finished;
  const timeOf = (n: number) =>
    `${formatMinute((points[n]?.at ?? from) - step / 2, zone)}${isOver(n) ? '' : ' (not over yet)'}`;
  const over = finished ?? points.length;
  return (
    <figure className={chart.figure}>
      <div className={chart.legend}>
        {drawn.map(({ name, look }, n) => {
          const line = lines[n];
          return (
            <Text key={name} size="sm" component="span">
              <span className={`${css.swatch} ${css[look]}`} /> {name}
              {index !== undefined && line !== undefined && ` ${textOfValue(line, index)}`}
            </Text>
          );
        })}
        <Text size="sm" c="dimmed" component="span">
          {index === undefined ? '' : timeOf(index)}
        </Text>
      </div>
      <div ref={box} className={chart.box}>
        <Reader
          label={label}
          count={points.length}
          index={read}
          read={setRead}
          textOf={(n) =>
            `${timeOf(n)}: ${lines.map((line) => `${line.name} ${textOfValue(line, n)}`).join(', ')}`
          }
        />
        <svg
          className={`${chart.chart} ${css.plot}`}
          width={width}
          height={height + 28}
          role="img"
          aria-label={`${label}, from ${formatMinute(from, zone)} to ${formatMinute(to, zone)}; the figures are in the table below.`}
          onPointerDown={(event) => onBrush && setDrag(placeOf(event))}
          onPointerMove={(event) => setPointed(placeOf(event))}
          onPointerUp={release}
          onPointerLeave={() => {
            setDrag(undefined);
            setPointed(undefined);
          }}
        >
          <g transform={`translate(${LEFT} 6)`}>
            {ticks.map((tick) => (
              <g key={tick}>
                <line className={chart.grid} x2={frame.width} y1={yOf(tick, frame)} y2={yOf(tick, frame)} />
                <text className={chart.tick} x={-8} y={yOf(tick, frame)} dy="0.32em" textAnchor="end">
                  {formatAxis(tick)}
                </text>
              </g>
            ))}
            {timeTicks(from, to, Math.max(2, Math.floor(frame.width / PER_TICK)), zone).map((tick) => (
              <text
                key={tick.at}
                className={chart.tick}
                x={xOf(tick.at, frame)}
                y={height + 18}
                textAnchor="middle"
              >
                {tick.label}
              </text>
            ))}
            {finished !== undefined && over < points.length && (
              <rect
                className={css.open}
                x={xOf((points[over]?.at ?? to) - step / 2, frame)}
                width={Math.max(0, frame.width - xOf((points[over]?.at ?? to) - step / 2, frame))}
                height={height}
              />
            )}
            {drawn.map(({ name, look, points: values }) => (
              <g key={name}>
                {look === 'base' && <path className={css.area} d={areaPath(values.slice(0, over), frame)} />}
                <path
                  className={`${css.line} ${css[look]}`}
                  d={linePath(isEarlier(look) ? values : values.slice(0, over), frame)}
                />
                {!isEarlier(look) && over < values.length && (
                  <path
                    className={`${css.line} ${css[look]} ${css.unfinished}`}
                    d={linePath(values.slice(Math.max(0, over - 1)), frame)}
                  />
                )}
              </g>
            ))}
            {at !== undefined && (
              <line className={chart.cursor} x1={xOf(at, frame)} x2={xOf(at, frame)} y2={height} />
            )}
            {drag !== undefined && pointed !== undefined && (
              <rect
                className={css.brush}
                x={xOf(Math.min(drag, pointed), frame)}
                width={Math.abs(xOf(drag, frame) - xOf(pointed, frame))}
                height={height}
              />
            )}
          </g>
        </svg>
      </div>
      {!tabled && <SeriesTable label={label} lines={lines} zone={zone} />}
    </figure>
  );
}
