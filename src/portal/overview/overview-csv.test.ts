import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Overview } from './contract.ts';
import { formatOverviewCsv } from './overview-csv.ts';

const FUNNEL = {
  requested: 5,
  attempted: 6,
  submitted: 4,
  delivered: 3,
  undelivered: 1,
  failed: 1,
  confirmed: 2,
  cost: 0.25,
};
const LATENCY = { p50: 1_500, p95: 9_000 };
const NONE = { p50: null, p95: null };

function overviewOf(keyName: string): Overview {
  return {
    currency: 'EUR',
    from: '2026-11-20T12:00:00.000Z',
    to: '2026-11-20T12:01:00.000Z',
    total: FUNNEL,
    latency: { submitted: LATENCY, delivered: LATENCY, confirmed: LATENCY },
    confirmed_within: [],
    limits: { by_key: 0, by_destination: 0, mismatched: 0 },
    step: 60,
    series: [{ at: '2026-11-20T12:00:00.000Z', funnel: FUNNEL }],
    finished: 1,
    cells: [],
    countries: [{ name: 'DE', label: 'Germany', funnel: FUNNEL, confirmed_ms: LATENCY }],
    carriers: [
      {
        ...{ name: 'smsc', label: 'smsc', confirmed_ms: NONE },
        funnel: { ...FUNNEL, requested: null, failed: null },
      },
    ],
    keys: [{ name: 'key_1', label: keyName, funnel: FUNNEL, confirmed_ms: NONE }],
    channels: [{ name: 'sms', label: 'sms', funnel: FUNNEL, confirmed_ms: LATENCY }],
  };
}

const keyCell = (name: string) =>
  formatOverviewCsv(overviewOf(name)).split('key,key_1,')[1]?.split(',5,6')[0];

test('lines end as RFC 4180 says, and have one cell for each column', () => {
  assert.deepEqual(formatOverviewCsv(overviewOf('Shop')).split('\r\n'), [
    'by,name,label,requested,attempted,submitted,delivered,undelivered,failed,confirmed,cost,currency,confirmed_p50_ms,confirmed_p95_ms',
    'total,,,5,6,4,3,1,1,2,0.25,EUR,1500,9000',
    'time,2026-11-20T12:00:00.000Z,2026-11-20T12:00:00.000Z,5,6,4,3,1,1,2,0.25,EUR,,',
    'country,DE,Germany,5,6,4,3,1,1,2,0.25,EUR,1500,9000',
    'carrier,smsc,smsc,,6,4,3,1,,2,0.25,EUR,,',
    'key,key_1,Shop,5,6,4,3,1,1,2,0.25,EUR,,',
    'channel,sms,sms,5,6,4,3,1,1,2,0.25,EUR,1500,9000',
    '',
  ]);
});

test('what would end a cell or a line is quoted', () => {
  assert.equal(keyCell('Shop, "new"\r\nline'), '"Shop, ""new""\r\nline"');
});

test('no name becomes a formula', () => {
  for (const name of ['=1+1', '+1', '-1', '@A1', '\t=1', ' =1', '＝1']) {
    assert.equal(keyCell(name), `'${name}`);
  }
  assert.equal(keyCell('=HYPERLINK("x")'), `"'=HYPERLINK(""x"")"`);
});
