const count = new Intl.NumberFormat('en-GB');
const compact = new Intl.NumberFormat('en-GB', { notation: 'compact', maximumFractionDigits: 1 });
const percent = new Intl.NumberFormat('en-GB', {
  style: 'percent',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});

const shortPercent = new Intl.NumberFormat('en-GB', { style: 'percent', maximumFractionDigits: 1 });

const signed = { signDisplay: 'exceptZero', minimumFractionDigits: 1, maximumFractionDigits: 1 } as const;
const change = new Intl.NumberFormat('en-GB', { style: 'percent', ...signed });
const points = new Intl.NumberFormat('en-GB', signed);

/** From so many times on, percentages say less than how often. */
const TIMES = 10;

/** Shown in place of a missing figure. */
export const NONE = '–';

export const formatCount = (value: number): string => count.format(value);

/** For the axis of a chart: 1.5k instead of 1,500. */
export const formatCompact = (value: number): string => compact.format(value);

/** A share of a whole. An empty whole has no shares. */
export function formatRate(part: number, whole: number): string {
  return whole === 0 ? NONE : percent.format(part / whole);
}

/** A share of 1 for the axis of a chart: 5% instead of 5.0%. */
export const formatShareShort = (share: number): string => shortPercent.format(share);

/** The change since before, such as `+12.5%`, or `×42` from nearly nothing. From nothing there is no change to show. */
export function formatChange(now: number, before: number): string | null {
  if (before === 0) return null;
  const times = now / before;
  return times < TIMES ? change.format(times - 1) : `×${count.format(Math.round(times))}`;
}

/** A change of a share of 1, in points of a hundred. */
export const formatPoints = (now: number, before: number): string =>
  `${points.format(100 * (now - before))} points`;

/** Milliseconds in the unit that suits them. */
export function formatLatency(ms: number | null): string {
  if (ms === null) return NONE;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
  return `${(ms / 60_000).toFixed(1)} min`;
}

const PARTS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** How long something took, however long: `61 ms`, `3.1 s`, `9 min 40 s`, `2 d 4 h`. */
export function formatDuration(ms: number): string {
  if (ms < 60_000) return formatLatency(ms);
  const first = PARTS.findIndex(([, size]) => ms >= size);
  const words = PARTS.slice(first, first + 2).map(([name, size], index) => {
    const whole = index === 0 ? ms : ms % (PARTS[first]?.[1] ?? 1);
    return [Math.floor(whole / size), name] as const;
  });
  return words
    .filter(([count]) => count > 0)
    .map(([count, name]) => `${count} ${name}`)
    .join(' ');
}

/** Money for the axis of a chart, as short as it can be. */
export function formatMoneyShort(value: number, currency: string): string {
  const style = /^[A-Z]{3}$/.test(currency)
    ? ({ style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const)
    : {};
  return new Intl.NumberFormat('en-GB', {
    ...style,
    notation: 'compact',
    minimumFractionDigits: 0,
    maximumSignificantDigits: 3,
  }).format(value);
}

/** A price: to a hundredth of the currency's smallest coin, because single messages cost fractions of it. */
export function formatMoney(value: number | null, currency: string): string {
  return value === null || !Number.isFinite(value) ? NONE : moneyFormats(currency).fine.format(value);
}

/** What many messages cost together: to the smallest coin, and finer only where it is less than one. */
export function formatSum(value: number, currency: string): string {
  const { whole, fine, coin } = moneyFormats(currency);
  return (value !== 0 && Math.abs(value) < coin ? fine : whole).format(value);
}

interface MoneyFormats {
  readonly whole: Intl.NumberFormat;
  readonly fine: Intl.NumberFormat;
  /** The smallest one. */
  readonly coin: number;
}

/** By currency. Making one takes a hundred times as long as using it, and a long table has thousands of sums. */
const made = new Map<string, MoneyFormats>();

function moneyFormats(currency: string): MoneyFormats {
  const known = made.get(currency);
  if (known !== undefined) return known;
  const style = /^[A-Z]{3}$/.test(currency) ? ({ style: 'currency', currency } as const) : {};
  const digits = style.style === undefined ? 2 : digitsOf(new Intl.NumberFormat('en-GB', style));
  const to = (count: number) =>
    new Intl.NumberFormat('en-GB', { ...style, minimumFractionDigits: count, maximumFractionDigits: count });
  const formats = { whole: to(digits), fine: to(digits + 2), coin: 10 ** -digits };
  made.set(currency, formats);
  return formats;
}

const digitsOf = (format: Intl.NumberFormat): number => format.resolvedOptions().maximumFractionDigits ?? 2;
