/** The funnel as the portal shows it, and how the carriers fare. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createKeys } from '../../src/accounts/keys.ts';
import { COMMAND_LINE } from '../../src/core/accounts/actor.ts';
import type {
  CarrierCourses,
  CarrierHealth,
  EarlierOverview,
  Overview,
  OverviewChanges,
  OverviewParts,
  OverviewTotal,
} from '../../src/portal/overview/contract.ts';
import { guessAt, receipt, SECOND, SUBMITTED, settlement } from '../store/contract/rig.ts';
import { type LookupRig, openLookup, path } from './store/lookup-rig.ts';

const HOUR = 3_600_000;
const [GERMAN, FRENCH] = ['+4915123456789', '+33612345678'];

/** No minute begins between two questions. */
const stopClock = (t: TestContext) => t.mock.timers.enable({ apis: ['Date'], now: Date.now() });

/** The last hour and a little ahead, as a page requests it. */
const lastHour = (more = '', now = Date.now()) =>
  `?from=${new Date(now - HOUR).toISOString()}&to=${new Date(now + SECOND).toISOString()}${more}`;

async function read({ get }: LookupRig, query: string): Promise<Overview> {
  const answer = await get(path(`overview${query}`));
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

/** Half an hour ago, a message that arrives at the second attempt and is confirmed; just now, one that is taken and never reported. */
async function fill({ store, send }: LookupRig): Promise<void> {
  const createdAt = Date.now() - HOUR / 2;
  const v = await send(GERMAN, { createdAt, keyId: 'key_1' });
  await store.settle(settlement(v, SUBMITTED, [{ outcome: 'temporary' }, { reference: 'r1', cost: 75_000 }]));
  await store.receive(receipt(createdAt + 4 * SECOND, { references: ['r1'] }));
  await store.confirm(guessAt(v, 'wrong'));
  await store.confirm(guessAt(v, 'right', createdAt + 20 * SECOND));
  const other = await send(FRENCH, { keyId: 'key_2', channel: 'voice' });
  await store.settle(settlement(other, SUBMITTED, [{ carrier: 'gateway', cost: 1_000 }]));
}

const NOTHING = {
  ...{ requested: 0, attempted: 0, submitted: 0, delivered: 0, undelivered: 0, failed: 0, confirmed: 0 },
  cost: 0,
};

/** Requests and failures belong to no carrier. */
const OF_CARRIER = { ...NOTHING, requested: null, failed: null, submitted: 1 };

test('the funnel is shown in total, over time, and by country, carrier and key', async (t) => {
  const rig = await openLookup(t);
  const key = { id: 'key_1', name: 'Shop', test: false, prefix: 'cs_live_x', hash: 'h', createdAt: 1 };
  await createKeys(rig.store).createKey('Mine', key, COMMAND_LINE);
  await fill(rig);
  await rig.send(GERMAN, { test: true });
  await rig.send(GERMAN, { accountId: 'acc_other' });
  const overview = await read(rig, lastHour());
  assert.deepEqual(overview.total, {
    ...NOTHING,
    requested: 2,
    attempted: 3,
    submitted: 2,
    delivered: 1,
    confirmed: 1,
    cost: 0.076,
  });
  assert.deepEqual(overview.limits, { by_key: 0, by_destination: 0, mismatched: 1 });
  assert.equal(overview.currency, 'EUR');
  assert.deepEqual(
    overview.countries.map(({ name, label, funnel }) => [name, label, funnel.requested, funnel.confirmed]),
    [
      ['FR', 'France', 1, 0],
      ['DE', 'Germany', 1, 1],
    ],
  );
  assert.deepEqual(
    overview.carriers.map(({ name, funnel }) => [name, funnel]),
    [
      ['smsc', { ...OF_CARRIER, attempted: 2, delivered: 1, confirmed: 1, cost: 0.075 }],
      ['gateway', { ...OF_CARRIER, attempted: 1, cost: 0.001 }],
    ],
  );
  assert.deepEqual(
    overview.keys.map(({ name, funnel }) => [name, funnel.requested]),
    [
      ['key_1', 1],
      ['key_2', 1],
    ],
  );
  const { p50, p95 } = overview.latency.confirmed;
  assert.ok(p50 !== null && p50 > 10_000 && p50 <= 20_000 && p95 !== null && p95 <= 20_000);
  assert.deepEqual(overview.countries[0]?.confirmed_ms, { p50: null, p95: null });

  assert.equal(overview.step, 60);
  const points = overview.series.length;
  assert.ok(points >= 60 && points <= 62);
  const counted = overview.series.filter(({ funnel }) => funnel.requested !== 0);
  assert.equal(counted.length, 2, 'each in the step of its request, the others empty');
});

test('the total and the parts, asked for separately, are those of the whole', async (t) => {
  stopClock(t);
  const rig = await openLookup(t);
  await fill(rig);
  const span = lastHour();
  for (const filter of ['', '&carrier=smsc', '&country=FR', '&key=key_1', '&channel=voice', '&test=true']) {
    const total: OverviewTotal = (await rig.get(path(`overview/total${span}${filter}`))).json;
    const parts: OverviewParts = (await rig.get(path(`overview/parts${span}${filter}`))).json;
    assert.deepEqual({ ...total, ...parts }, await read(rig, span + filter), filter);
    const sum = parts.cells.reduce((all, { submitted }) => all + submitted, 0);
    assert.equal(sum, total.total.submitted, `${filter}: the parts add up to the total`);
  }
});

test('each part says how it changed against as many steps before', async (t) => {
  stopClock(t);
  const rig = await openLookup(t);
  const now = Date.now();
  const span = `?from=${new Date(now - HOUR / 2).toISOString()}&to=${new Date(now).toISOString()}`;
  const ago = (minutes: number) => ({ createdAt: now - minutes * 60 * SECOND });
  for (const minutes of [10, 20, 40]) await rig.send(GERMAN, { ...ago(minutes), keyId: 'key_1' });
  await rig.send(FRENCH, { ...ago(15), keyId: 'key_1' });
  const call = await rig.send(FRENCH, { ...ago(45), keyId: 'key_2', channel: 'voice' });
  await rig.store.settle(settlement(call, SUBMITTED, [{ carrier: 'gateway' }]));
  const ask = async (more = ''): Promise<OverviewChanges['changes']> =>
    ((await rig.get(path(`overview/changes${span}${more}`))).json as OverviewChanges).changes;
  const of = (name: string, now: number, before: number) => ({ name, now, before });
  const changes = await ask();
  assert.deepEqual(changes, {
    countries: [of('DE', 2, 1), of('FR', 1, 1)],
    carriers: [of('gateway', 0, 1)],
    keys: [of('key_1', 3, 1), of('key_2', 0, 1)],
    channels: [of('sms', 3, 1), of('voice', 0, 1)],
  });
  assert.deepEqual((await ask('&country=FR'))?.channels, [of('sms', 1, 0), of('voice', 0, 1)]);
  const year = new Date(now - 300 * 24 * HOUR).toISOString();
  const wide = `overview/changes?from=${year}&to=${new Date(now).toISOString()}`;
  assert.equal((await rig.get(path(wide))).status, 200);
});

test('every filter counts what it selects', async (t) => {
  const rig = await openLookup(t);
  await fill(rig);
  const requested = async (filter: string) => (await read(rig, lastHour(`&${filter}`))).total;
  assert.equal((await requested('channel=voice')).requested, 1);
  assert.equal((await requested('country=DE')).confirmed, 1);
  assert.equal((await requested('test=true')).requested, 0);
  const gateway = await read(rig, lastHour('&carrier=gateway'));
  assert.deepEqual(gateway.total, { ...OF_CARRIER, attempted: 1, cost: 0.001 });
  assert.equal(gateway.limits, null);
  assert.deepEqual(
    [...gateway.countries, ...gateway.keys].map(({ name, funnel }) => [
      name,
      funnel.requested,
      funnel.attempted,
    ]),
    [
      ['FR', null, 1],
      ['key_2', null, 1],
    ],
  );
  const ofKey = await read(rig, lastHour('&key=key_1'));
  assert.equal(ofKey.total.confirmed, 1);
  assert.deepEqual(ofKey.latency.confirmed, { p50: null, p95: null }, 'latencies are not kept by key');
});

test('what just happened shows within moments', async (t) => {
  const rig = await openLookup(t);
  assert.equal((await read(rig, lastHour())).total.requested, 0);
  await rig.send(GERMAN);
  const until = Date.now() + 10_000;
  while ((await read(rig, lastHour())).total.requested === 0) {
    assert.ok(Date.now() < until);
    await sleep(50);
  }
});

test('many simultaneous requests cost the store only one query', async (t) => {
  stopClock(t);
  const { store } = await openLookup(t);
  let asked = 0;
  const tallies = {
    tally: (query: Parameters<typeof store.tally>[0]) => {
      asked += 1;
      return store.tally(query);
    },
    latencies: store.latencies,
  };
  const rig = await openLookup(t, { tallies });
  const query = lastHour();
  await Promise.all(Array.from({ length: 20 }, () => read(rig, query)));
  assert.equal(asked, 8, 'four questions for what has settled, four for what has not');
});

test('accounts that ask the same at the same moment are each told their own', async (t) => {
  stopClock(t);
  const rig = await openLookup(t);
  await rig.send(GERMAN, { createdAt: Date.now() - HOUR / 2 });
  const query = `overview${lastHour()}`;
  const ask = async (account?: string): Promise<Overview> =>
    (await rig.get(path(query, account), account === undefined ? {} : { account })).json;
  const answers = await Promise.all([ask(), ask('acc_other')]);
  assert.deepEqual(
    answers.map(({ total }) => total.requested),
    [1, 0],
  );
});

test('an invalid span is refused, naming the field', async (t) => {
  const { get } = await openLookup(t);
  const cases: [string, string[]][] = [
    ['', ['from', 'to']],
    ['?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z', ['to']],
    ['?from=now&to=2026-01-01T00:00:00Z', ['from']],
    ['?from=1990-01-01T00:00:00Z&to=2026-01-01T00:00:00Z', ['from']],
  ];
  const files = ['', '.csv', '/total', '/parts', '/earlier', '/carriers'].map((part) => `overview${part}`);
  for (const file of files) {
    for (const [query, fields] of cases) {
      const { status, json } = await get(path(`${file}${query}`));
      const { errors } = json as { errors: { field: string }[] };
      assert.deepEqual([status, errors.map(({ field }) => field)], [400, fields]);
    }
  }
});

test('the same figures come as CSV', async (t) => {
  const rig = await openLookup(t);
  await fill(rig);
  const { status, headers, text } = await rig.get(path(`overview.csv${lastHour()}`));
  assert.equal(status, 200);
  assert.match(String(headers['content-type']), /^text\/csv; charset=utf-8/);
  assert.match(String(headers['content-disposition']), /^attachment; filename="/);
  const lines = text.split('\r\n');
  assert.match(lines[1] ?? '', /^total,,,2,3,2,1,0,0,1,0\.076,EUR,\d+,\d+$/);
  assert.ok(lines.some((line) => line.startsWith('country,DE,Germany,1,2,1,1,0,0,1,0.075,EUR,')));
});

test('carriers are shown as the nodes see them, with only the requesting account’s last hour', async (t) => {
  const rig = await openLookup(t);
  const health = async (account?: string): Promise<CarrierHealth> =>
    (await rig.get(path('carriers', account), account === undefined ? {} : { account })).json;
  await fill(rig);
  const now = Date.now();
  const note = { carrier: 'smsc', at: now, lastError: { reason: 'throttled', at: now - SECOND } };
  await rig.store.noteCarrierStates([
    { ...note, node: 'n1', breaker: 'open', unusable: { unmatched: 2 } },
    {
      ...note,
      node: 'n2',
      breaker: 'closed',
      unusable: { unmatched: 3 },
      lastError: { reason: 'busy', at: now - 2 * SECOND },
    },
  ]);
  const [simulator, smsc] = await health();
  const nothing = {
    ...{ attempted: 0, submitted: 0, delivered: 0, undelivered: 0, confirmed: 0 },
    delivered_ms: { p50: null, p95: null },
  };
  assert.deepEqual(simulator, {
    ...{ name: 'simulator', type: 'simulator', account: nothing },
    installation: { breaker: 'unknown', trouble: null, last_error: null, unusable_receipts: '' },
  });
  const last_error = { reason: 'throttled', at: new Date(now - SECOND).toISOString() };
  assert.deepEqual(smsc?.installation, {
    ...{ breaker: 'open', trouble: 'set-aside', last_error },
    unusable_receipts: '5 matched no message',
  });
  const { delivered_ms, ...counts } = smsc.account;
  assert.deepEqual(counts, { attempted: 2, submitted: 1, delivered: 1, undelivered: 0, confirmed: 1 });
  assert.notEqual(delivered_ms.p50, null);

  const [, other] = await health('acc_other');
  assert.deepEqual(other, { ...smsc, account: nothing });
});

test('a carrier has the trouble that any node has with it, as the alert does', async (t) => {
  const now = Date.now();
  const note = { carrier: 'smsc', at: now, breaker: 'closed' } as const;
  const cut = { ...note, node: 'n1', lastError: { reason: 'no link: ECONNREFUSED', at: now - SECOND } };
  const works = { ...note, node: 'n2', lastError: null };
  const refused = { reason: 'account or settings: HTTP 401', at: now - SECOND };
  for (const [states, trouble] of [
    [[works], null],
    [[{ ...cut, lastError: { reason: 'no link: ECONNREFUSED', at: now - HOUR } }], null],
    [[cut, works], 'no-link'],
    [[{ ...cut, breaker: 'open' as const }, works], 'no-link'],
    [[cut, { ...works, lastError: refused }], 'refuses-settings'],
  ] as const) {
    const rig = await openLookup(t);
    await rig.store.noteCarrierStates(states);
    const found: CarrierHealth = (await rig.get(path('carriers'))).json;
    assert.equal(found.find(({ name }) => name === 'smsc')?.installation.trouble, trouble);
  }
});

test('the period before is compared step by step, where counts from then are fine enough', async (t) => {
  stopClock(t);
  const rig = await openLookup(t);
  const now = Date.now();
  await rig.send(GERMAN, { createdAt: now - HOUR / 2 });
  const before = await rig.send(GERMAN, { createdAt: now - 1.5 * HOUR });
  await rig.store.settle(settlement(before, SUBMITTED, [{ reference: 'r1', cost: 75_000 }]));
  const span = `?from=${new Date(now - HOUR).toISOString()}&to=${new Date(now).toISOString()}`;
  const overview = await read(rig, span);
  const { earlier }: EarlierOverview = (await rig.get(path(`overview/earlier${span}`))).json;
  assert.deepEqual(earlier?.total, { ...NOTHING, requested: 1, attempted: 1, submitted: 1, cost: 0.075 });
  assert.equal(earlier?.to, overview.from);
  assert.equal(earlier?.series.length, overview.finished);
  const steps = (Date.parse(overview.to) - Date.parse(overview.from)) / (overview.step * 1_000);
  assert.equal(overview.series.length, steps);
  assert.ok(overview.finished < steps, 'the last step is not over');
  const [counted] = earlier?.series.filter(({ funnel }) => funnel.requested === 1) ?? [];
  assert.ok(counted !== undefined && Date.parse(counted.at) <= now - 1.5 * HOUR);

  const two = `?from=${new Date(now - 2 * HOUR).toISOString()}&to=${new Date(now).toISOString()}`;
  assert.deepEqual((await rig.get(path(`overview/earlier${two}`))).json, { earlier: null });
});

test('each carrier is shown over time, and each country with each carrier', async (t) => {
  stopClock(t);
  const rig = await openLookup(t);
  await fill(rig);
  const courses: CarrierCourses = (await rig.get(path(`overview/carriers${lastHour()}`))).json;
  const overview = await read(rig, lastHour());
  assert.equal(courses.step, overview.step);
  const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0);
  assert.deepEqual(
    courses.carriers.map(({ name, attempted, submitted, confirmed }) => [
      ...[name, attempted.length - courses.starts.length],
      ...[sum(attempted), sum(submitted), sum(confirmed)],
    ]),
    [
      ['smsc', 0, 2, 1, 1],
      ['gateway', 0, 1, 1, 0],
    ],
  );
  assert.deepEqual(
    overview.cells.toSorted((one, other) => one.country.localeCompare(other.country)),
    [
      { country: 'DE', carrier: 'smsc', attempted: 2, submitted: 1, confirmed: 1 },
      { country: 'FR', carrier: 'gateway', attempted: 1, submitted: 1, confirmed: 0 },
    ],
  );
  assert.deepEqual(
    overview.confirmed_within.filter(({ count }) => count > 0),
    [{ ms: 20_000, count: 1 }],
  );
});
