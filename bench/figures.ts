/** Summarises and prints figures. */

export interface Row {
  readonly figure: string;
  readonly value: string;
  /** Lowest and highest of the rounds, or another note on the value. */
  readonly note?: string;
  readonly target?: string;
  readonly met?: boolean;
}

export interface Section {
  readonly title: string;
  readonly rows: readonly Row[];
}

/** The value below which the fraction `part` of the values lies (nearest rank). */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** The median of the rounds, with their range. */
export function medianRow(figure: string, values: readonly number[], unit: string, digits = 0): Row {
  return {
    figure,
    value: `${format(median(values), digits)} ${unit}`.trim(),
    note: `${format(Math.min(...values), digits)} to ${format(Math.max(...values), digits)}`,
  };
}

/** The median of ratios, compared with its target. */
export function ratioRow(figure: string, values: readonly number[], atLeast: number): Row {
  const row = medianRow(figure, values, '', 2);
  return { ...row, target: `>= ${atLeast}`, met: median(values) >= atLeast };
}

/** Latencies of all rounds together. */
export function latencyRow(figure: string, latencies: readonly number[]): Row {
  const [p50, p99] = [quantile(latencies, 0.5), quantile(latencies, 0.99)];
  return { figure, value: `${format(p50, 1)} / ${format(p99, 1)} ms`, note: 'p50 / p99' };
}

export function format(value: number, digits: number): string {
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

export function renderSection({ title, rows }: Section): string {
  const cells = rows.map(({ figure, value, note = '', target = '', met }) => [
    figure,
    value,
    note,
    target,
    met === undefined ? '' : met ? 'met' : 'MISSED',
  ]);
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const lines = cells.map((row) =>
    row
      .map((cell, column) =>
        column === 1 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
  return `${title}\n${lines.map((line) => `  ${line}`).join('\n')}\n`;
}
