import { Text } from '@mantine/core';
import { type PointerEvent, useState } from 'react';
import { formatCompact, formatCount } from '../format/number.ts';
import { formatMinute, formatTick } from '../format/time.ts';
import {
  areaPath,
  atOf,
  type ChartFrame,
  type ChartLine,
  linePath,
  nearest,
  niceCeiling,
  xOf,
  yOf,
} from './scale.ts';
import { SeriesTable } from './series-table.tsx';
import css from './time-series.module.css';
import { useWidth } from './use-width.ts';

interface TimeSeriesProps {
  readonly label: string;
  /** ms */
  readonly from: number;
  readonly to: number;
  /** All with points at the same instants; the first is drawn as an area. */
  readonly lines: readonly ChartLine[];
  /** Called with the two instants of a drag, in any order. */
  readonly onBrush?: (one: number, other: number) => void;
}

const HEIGHT = 200;
const LEFT = 44;
const STYLES = [css.first, css.second, css.third];

export function TimeSeries({ label, from, to, lines, onBrush }: TimeSeriesProps) {
  const [box, width] = useWidth();
  const [drag, setDrag] = useState<number>();
  const [pointed, setPointed] = useState<number>();
  const max = niceCeiling(Math.max(...lines.flatMap(({ points }) => points.map(({ value }) => value))));
  const frame: ChartFrame = { width: Math.max(width - LEFT - 4, 1), height: HEIGHT, from, to, max };
  const placeOf = (event: PointerEvent<SVGSVGElement>): number =>
    atOf(event.clientX - event.currentTarget.getBoundingClientRect().left - LEFT, frame);

  function release(event: PointerEvent<SVGSVGElement>): void {
    const at = placeOf(event);
    // A press that hardly moved is not a drag.
    if (drag !== undefined && Math.abs(xOf(at, frame) - xOf(drag, frame)) > 8) onBrush?.(drag, at);
    setDrag(undefined);
  }

  const points = lines[0]?.points ?? [];
  const index = pointed === undefined ? undefined : nearest(points, pointed);
  const at = index === undefined ? undefined : points[index]?.at;
  const tickCount = width < 500 ? 3 : 6;
  const ticks = Array.from({ length: tickCount }, (_, n) => from + ((n + 0.5) * (to - from)) / tickCount);
  return (
    <figure className={css.figure}>
      <div className={css.legend}>
        {lines.map(({ name, points: values }, n) => (
          <Text key={name} size="sm" component="span">
            <span className={`${css.swatch} ${STYLES[n]}`} /> {name}
            {index !== undefined && ` ${formatCount(values[index]?.value ?? 0)}`}
          </Text>
        ))}
        <Text size="sm" c="dimmed" component="span">
          {at === undefined ? '' : formatMinute(at)}
        </Text>
      </div>
      <div ref={box}>
        <svg
          className={css.chart}
          width={width}
          height={HEIGHT + 28}
          role="img"
          aria-label={`${label}, from ${formatMinute(from)} to ${formatMinute(to)}; the figures are in the table below.`}
          onPointerDown={(event) => onBrush && setDrag(placeOf(event))}
          onPointerMove={(event) => setPointed(placeOf(event))}
          onPointerUp={release}
          onPointerLeave={() => {
            setDrag(undefined);
            setPointed(undefined);
          }}
        >
          <g transform={`translate(${LEFT} 6)`}>
            {[0, 0.5, 1].map((part) => (
              <g key={part}>
                <line
                  className={css.grid}
                  x2={frame.width}
                  y1={yOf(max * part, frame)}
                  y2={yOf(max * part, frame)}
                />
                <text className={css.tick} x={-8} y={yOf(max * part, frame)} dy="0.32em" textAnchor="end">
                  {formatCompact(max * part)}
                </text>
              </g>
            ))}
            {ticks.map((tick) => (
              <text key={tick} className={css.tick} x={xOf(tick, frame)} y={HEIGHT + 18} textAnchor="middle">
                {formatTick(tick, to - from)}
              </text>
            ))}
            <path className={css.area} d={areaPath(points, frame)} />
            {lines.map(({ name, points: values }, n) => (
              <path key={name} className={`${css.line} ${STYLES[n]}`} d={linePath(values, frame)} />
            ))}
            {at !== undefined && (
              <line className={css.cursor} x1={xOf(at, frame)} x2={xOf(at, frame)} y2={HEIGHT} />
            )}
            {drag !== undefined && pointed !== undefined && (
              <rect
                className={css.brush}
                x={xOf(Math.min(drag, pointed), frame)}
                width={Math.abs(xOf(drag, frame) - xOf(pointed, frame))}
                height={HEIGHT}
              />
            )}
          </g>
        </svg>
      </div>
      <SeriesTable label={label} lines={lines} />
    </figure>
  );
}
