const count = new Intl.NumberFormat('en-GB');
const compact = new Intl.NumberFormat('en-GB', { notation: 'compact', maximumFractionDigits: 1 });
const percent = new Intl.NumberFormat('en-GB', {
  style: 'percent',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});

/** Shown in place of a missing figure. */
export const NONE = '–';

export const formatCount = (value: number): string => count.format(value);

/** For the axis of a chart: 1.5k instead of 1,500. */
export const formatCompact = (value: number): string => compact.format(value);

/** A share of a whole; there is none of an empty whole. */
export function formatRate(part: number, whole: number): string {
  return whole === 0 ? NONE : percent.format(part / whole);
}

/** Milliseconds in the unit that suits them. */
export function formatLatency(ms: number | null): string {
  if (ms === null) return NONE;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
  return `${(ms / 60_000).toFixed(1)} min`;
}

/** To a hundredth of the currency's smallest unit, because single messages cost fractions of it. */
export function formatMoney(value: number | null, currency: string): string {
  if (value === null || !Number.isFinite(value)) return NONE;
  const style = /^[A-Z]{3}$/.test(currency) ? ({ style: 'currency', currency } as const) : {};
  const coin = style.style === undefined ? 2 : digitsOf(new Intl.NumberFormat('en-GB', style));
  const digits = { minimumFractionDigits: coin + 2, maximumFractionDigits: coin + 2 };
  return new Intl.NumberFormat('en-GB', { ...style, ...digits }).format(value);
}

const digitsOf = (format: Intl.NumberFormat): number => format.resolvedOptions().maximumFractionDigits ?? 2;
