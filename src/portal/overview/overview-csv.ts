import { type Cell, formatRow } from '../../core/text/csv.ts';
import type { Overview } from './contract.ts';

const HEADER = [
  'by',
  'name',
  'label',
  'requested',
  'attempted',
  'submitted',
  'delivered',
  'undelivered',
  'failed',
  'confirmed',
  'cost',
  'currency',
  'confirmed_p50_ms',
  'confirmed_p95_ms',
];

/**
 * The whole overview as one table (RFC 4180): the total, each step, and the parts by country, carrier, key and channel. The column
 * `by` says which a row is.
 */
export function formatOverviewCsv({
  currency,
  total,
  latency,
  series,
  countries,
  carriers,
  keys,
  channels,
}: Overview): string {
  const rowOf = (
    by: string,
    name: string,
    label: string,
    funnel: Overview['total'],
    { p50, p95 }: Overview['latency']['confirmed'] = { p50: null, p95: null },
  ): Cell[] => {
    const { requested, attempted, submitted, delivered, undelivered, failed, confirmed, cost } = funnel;
    const counts = [requested, attempted, submitted, delivered, undelivered, failed, confirmed];
    return [by, name, label, ...counts, cost, currency, p50, p95];
  };
  const rows = [
    HEADER,
    rowOf('total', '', '', total, latency.confirmed),
    ...series.map(({ at, funnel }) => rowOf('time', at, at, funnel)),
    ...Object.entries({ country: countries, carrier: carriers, key: keys, channel: channels }).flatMap(
      ([by, parts]) =>
        parts.map(({ name, label, funnel, confirmed_ms }) => rowOf(by, name, label, funnel, confirmed_ms)),
    ),
  ];
  return rows.map(formatRow).join('');
}
