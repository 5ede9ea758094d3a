import css from './chart.module.css';

interface ReaderProps {
  /** Of the chart. */
  readonly label: string;
  readonly count: number;
  /** The point that is read, or none yet. */
  readonly index: number | undefined;
  readonly read: (index: number | undefined) => void;
  /** What a point says, as a sentence. */
  readonly textOf: (index: number) => string;
}

/**
 * Reads a chart point by point: arrow keys, Page Up and Down, Home and End go along it, and a screen reader says each value. A
 * range field does all of that by itself; the chart shows its focus.
 */
export function Reader({ label, count, index, read, textOf }: ReaderProps) {
  if (count === 0) return null;
  const at = Math.min(index ?? count - 1, count - 1);
  return (
    <input
      type="range"
      className={css.reader}
      aria-label={`${label}: read point by point`}
      min={0}
      max={count - 1}
      value={at}
      aria-valuetext={textOf(at)}
      onChange={(event) => read(event.currentTarget.valueAsNumber)}
      onFocus={() => read(at)}
      onBlur={() => read(undefined)}
    />
  );
}
