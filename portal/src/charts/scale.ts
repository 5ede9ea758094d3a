/** From values to places on a chart, and back. */
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
  /** Null if there is no value, such as a rate of nothing. */
  readonly value: number | null;
}

export interface ChartLine {
  readonly name: string;
  readonly points: readonly Point[];
  /** How it is drawn; otherwise by its place: first an area, then a line in a quiet colour, then one in the accent. */
  readonly look?: Look;
  /** How its values are written; counts if absent. */
  readonly format?: (value: number) => string;
}
/** `earlier` and `mainEarlier`: the first or the main line a period before, in its hue. */
type Look = 'base' | 'second' | 'main' | 'earlier' | 'mainEarlier';

type Known = Point & { readonly value: number };
const isKnown = (point: Point): point is Known => point.value !== null;

/** The runs of points that have values. */
function runsOf(points: readonly Point[]): Known[][] {
  const runs: Known[][] = [[]];
  for (const point of points) {
    if (isKnown(point)) runs.at(-1)?.push(point);
    else runs.push([]);
  }
  return runs.filter((run) => run.length > 0);
}

const placeOf = ({ at, value }: Known, frame: ChartFrame): string =>
  `${xOf(at, frame).toFixed(1)} ${yOf(value, frame).toFixed(1)}`;

/** A line with a gap where there is no value; a single point becomes a dot if the line has round ends. */
export const linePath = (points: readonly Point[], frame: ChartFrame): string =>
  runsOf(points)
    .map((run) => {
      const places = run.map((point) => placeOf(point, frame));
      return `M${places.join('L')}${places.length === 1 ? 'h0' : ''}`;
    })
    .join('');

export const areaPath = (points: readonly Point[], frame: ChartFrame): string =>
  runsOf(points)
    .map((run) => {
      const [first, last] = [run[0], run.at(-1)];
      if (first === undefined || last === undefined) return '';
      return `${linePath(run, frame)}L${xOf(last.at, frame).toFixed(1)} ${frame.height}L${xOf(first.at, frame).toFixed(1)} ${frame.height}Z`;
    })
    .join('');

/** The point nearest to an instant. */
export function nearest(points: readonly Point[], at: number): number {
  return points.reduce(
    (best, point, index) =>
      Math.abs(point.at - at) < Math.abs((points[best]?.at ?? Infinity) - at) ? index : best,
    0,
  );
}
