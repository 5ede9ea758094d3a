import type { CarrierHealth, Funnel, Overview } from '../../src/portal/contract/overview.ts';
import { ago, type Handler, ok } from './answer.ts';

const funnel = (requested: number): Funnel => ({
  requested,
  submitted: Math.round(requested * 0.99),
  delivered: Math.round(requested * 0.953),
  undelivered: Math.round(requested * 0.02),
  failed: Math.round(requested * 0.01),
  confirmed: Math.round(requested * 0.884),
  cost: requested * 0.0413,
});
const part = (name: string, label: string, requested: number) => ({
  name,
  label,
  funnel: funnel(requested),
  confirmed_ms: { p50: 9_400, p95: 41_000 },
});
const EMPTY = { p50: null, p95: null };

function make(from: number, to: number, scale: number): Overview {
  const step = Math.max(60, Math.round((to - from) / 90_000));
  const width = step * 1000;
  const start = Math.ceil(from / width) * width;
  const series = Array.from({ length: Math.floor((to - start) / width) }, (_, n) => ({
    at: new Date(start + n * width).toISOString(),
    funnel: funnel(
      Math.round(
        scale * (step / 60) * (30 + 25 * Math.sin((start + n * width) / 13_750_000) + ((n * 7919) % 9)),
      ),
    ),
  }));
  const total = series.reduce((sum, { funnel: { requested } }) => sum + requested, 0);
  const share = (of: number) => Math.round(total * of);
  return {
    currency: 'EUR',
    total: funnel(total),
    latency:
      total === 0
        ? { submitted: EMPTY, delivered: EMPTY, confirmed: EMPTY }
        : {
            submitted: { p50: 84, p95: 300 },
            delivered: { p50: 2100, p95: 7400 },
            confirmed: { p50: 11_200, p95: 64_000 },
          },
    limits: { by_key: 0, by_destination: share(0.004), mismatched: share(0.031) },
    step,
    series: total === 0 ? [] : series,
    countries:
      total === 0
        ? []
        : [part('GB', 'GB', share(0.5)), part('FR', 'FR', share(0.3)), part('US', 'US', share(0.2))],
    carriers: total === 0 ? [] : [part('smsc', 'smsc', share(0.8)), part('twilio', 'twilio', share(0.2))],
    keys: total === 0 ? [] : [part('key_1', 'Checkout, production', total)],
  };
}

export const overview: Readonly<Record<string, Handler>> = {
  'GET accounts/:account/overview': ({ params, query }) =>
    ok<Overview>(
      make(
        Date.parse(query.get('from') ?? ''),
        Date.parse(query.get('to') ?? ''),
        params.account === 'empty' ? 0 : 1,
      ),
    ),
  'GET accounts/:account/overview.csv': () => ({ csv: 'at,requested,submitted,delivered,confirmed\n' }),
  'GET accounts/:account/carriers': ({ params }) =>
    ok<CarrierHealth>(
      params.account === 'empty'
        ? []
        : [
            {
              name: 'smsc',
              type: 'smpp',
              breaker: 'closed',
              last_error: null,
              delivered_rate: 0.971,
              confirmed_rate: 0.9,
              delivered_ms: { p50: 1900, p95: 6000 },
            },
            {
              name: 'twilio',
              type: 'twilio',
              breaker: 'open',
              last_error: { reason: 'HTTP 503 from api.twilio.example', at: ago(3) },
              delivered_rate: 0.61,
              confirmed_rate: 0.55,
              delivered_ms: { p50: 4100, p95: 30_000 },
            },
            {
              name: 'spare',
              type: 'http',
              breaker: 'unknown',
              last_error: null,
              delivered_rate: null,
              confirmed_rate: null,
              delivered_ms: EMPTY,
            },
          ],
    ),
};
