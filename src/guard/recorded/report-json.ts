/** A back-test's report as programs read it: money in the currency, times in ISO 8601. */
import type { BacktestFigures, BacktestReport } from './backtest-report.ts';

const MILLION = 1_000_000;

export function reportJson({ from, to, skipped, whole, countries, rules }: BacktestReport, currency: string) {
  return {
    from: reportTime(from),
    to: reportTime(to),
    currency,
    skipped,
    whole: figures(whole),
    countries: countries.map(({ country, ...rest }) => ({ country, ...figures(rest) })),
    rules: rules.map(({ rule, refused, saved, turnedAway }) => ({
      ...{ rule, refused, saved: saved / MILLION, turned_away: turnedAway },
    })),
  };
}

const figures = ({ requests, refused, spent, saved, confirmed, turnedAway }: BacktestFigures) => ({
  ...{ requests, refused, spent: spent / MILLION, saved: saved / MILLION },
  ...{ confirmed, turned_away: turnedAway },
});

export const reportTime = (at: number | null): string | null =>
  at === null ? null : new Date(at).toISOString();
