/** The smallest round number that is at least `max`, so that the axis is easy to read. */
export function niceCeiling(max: number): number {
  if (max <= 4) return 4;
  const power = 10 ** Math.floor(Math.log10(max));
  const step = [1, 2, 4, 5, 8, 10].find((factor) => factor * power >= max) ?? 10;
  return step * power;
}

export interface ChartFrame {
  readonly width: number;
  readonly height: number;
  readonly from: number;
  readonly to: number;
  readonly max: number;
}

export const xOf = (at: number, { from, to, width }: ChartFrame): number =>
  ((at - from) / (to - from)) * width;
export const yOf = (value: number, { max, height }: ChartFrame): number => height - (value / max) * height;

/** The instant at a place on the chart. */
export const atOf = (x: number, { from, to, width }: ChartFrame): number =>
  from + (Math.min(Math.max(x, 0), width) / width) * (to - from);

export interface Point {
  readonly at: number;
  readonly value: number;
}

export interface ChartLine {
  readonly name: string;
  readonly points: readonly Point[];
}

export const linePath = (points: readonly Point[], frame: ChartFrame): string =>
  points
    .map(
      ({ at, value }, index) =>
        `${index === 0 ? 'M' : 'L'}${xOf(at, frame).toFixed(1)} ${yOf(value, frame).toFixed(1)}`,
    )
    .join('');

export function areaPath(points: readonly Point[], frame: ChartFrame): string {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return '';
  return `${linePath(points, frame)}L${xOf(last.at, frame).toFixed(1)} ${frame.height}L${xOf(first.at, frame).toFixed(1)} ${frame.height}Z`;
}

/** The point nearest to an instant. */
export function nearest(points: readonly Point[], at: number): number {
  return points.reduce(
    (best, point, index) =>
      Math.abs(point.at - at) < Math.abs((points[best]?.at ?? Infinity) - at) ? index : best,
    0,
  );
}
