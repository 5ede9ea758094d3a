/** What the guard did is written down behind the requests, in bounds, and once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Charge } from '../../core/budgets/budget.ts';
import { OutcomeUnknown, StoreUnavailable } from '../../core/errors/store-failure.ts';
import { SYSTEM_CLOCK } from '../../core/seams/clock.ts';
import { SYSTEM_RANDOM } from '../../core/seams/random.ts';
import type { Records, Statement, Step } from '../../core/sql/records.ts';
import { MINUTE, SECOND, Stage } from '../fixture.ts';
import { GuardRecord } from './record.ts';
import type { GuardRefusal } from './refusal.ts';

const ROUTE = { channel: 'sms', carriers: ['dear', 'cheap', 'unknown'] } as const;
const PRICES = new Map([
  ['dear', 70_000],
  ['cheap', 20_000],
]);

function open() {
  const stage = new Stage();
  const batches: Step[][] = [];
  const counted: string[] = [];
  const logged: string[] = [];
  let fault: (() => Error) | undefined;
  const store: Records = {
    async transact(steps) {
      batches.push([...steps]);
      if (fault !== undefined) throw fault();
      return { done: true, rows: steps.map(() => []) };
    },
    random: SYSTEM_RANDOM,
    keysRevision: async () => 0,
  };
  const record = new GuardRecord({
    clock: SYSTEM_CLOCK,
    random: SYSTEM_RANDOM,
    guard: stage.guard,
    now: () => stage.now,
    records: store,
    priceOf: (carrier) => PRICES.get(carrier),
    metrics: {
      guardDecided: (decision, rule) => counted.push(`${decision} ${rule}`),
      guardSaved: (amount) => counted.push(`saved ${amount}`),
      watchGuard: () => {},
    },
    log: (level, message, fields) => logged.push(`${level} ${message} ${JSON.stringify(fields)}`),
  });
  const refuse = (destination: string, said: Partial<GuardRefusal> = {}) =>
    record.refused({
      ask: stage.ask(destination, { at: stage.now + 0.25 }),
      ...{ channel: 'sms', route: ROUTE, rule: 'closed:range4', detail: '9 unconfirmed', enforced: true },
      ...said,
    });
  /** The rows of the last batch for a table. */
  const written = (table: string) =>
    (batches.at(-1) ?? [])
      .filter((step): step is Statement => 'sql' in step && step.sql.includes(`INTO ${table}`))
      .map(({ args }) => args);
  return {
    ...{ stage, record, batches, counted, logged, refuse, written },
    fail: (wanted: typeof fault) => {
      fault = wanted;
    },
  };
}

test('a refusal is a line with the range, the place and what it saved, and is counted', async () => {
  const { record, refuse, written, counted, batches } = open();
  refuse('+212661234567');
  refuse('+212661234999', { enforced: false, rule: 'bombing' });
  assert.equal(batches.length, 0, 'nothing is written while the request waits');
  await record.write();
  const [line, observed] = written('guard_refusal').map((args) => args.slice(1));
  const at = Date.UTC(2026, 10, 2);
  const who = ['acme', 'web', at, 'sms', 'MA', '+21266123••••'];
  assert.deepEqual(line, [...who, 'range4 +21266123', 'closed:range4', '9 unconfirmed', 1, 20_000]);
  assert.deepEqual(observed?.slice(6, 8), ['silent-number +21266123••••', 'bombing']);
  assert.deepEqual(written('guard_day'), [
    [at, 'acme', 'MA', 'bombing', 0, 1, 20_000],
    [at, 'acme', 'MA', 'closed:range4', 1, 1, 20_000],
  ]);
  assert.deepEqual(counted, ['refuse closed:range4', 'saved 20000', 'observe bombing']);
  assert.ok(!JSON.stringify(batches).includes('234567'), 'no number in full');
});

test('a flood writes a hundred lines a second and counts all of it', async () => {
  const { record, refuse, written, stage } = open();
  for (let n = 0; n < 500; n++) refuse(`+21266123${String(n).padStart(4, '0')}`);
  await record.write();
  assert.equal(written('guard_refusal').length, 100);
  assert.deepEqual(written('guard_day')[0]?.slice(-2), [500, 500 * 20_000]);
  refuse('+212661239999');
  await record.write();
  assert.equal(written('guard_refusal').length, 1, 'counts are added only with a line');
  stage.wait(SECOND);
  for (let n = 0; n < 50; n++) refuse(`+21266123${String(n).padStart(4, '0')}`);
  await record.write();
  assert.equal(written('guard_refusal').length, 50);
});

test('a store that is away loses nothing up to a bound, is told each time, and gets the same batch again', async () => {
  const { record, refuse, written, logged, fail, stage, batches } = open();
  const warnings = () => logged.filter((line) => line.includes('cannot write down')).length;
  refuse('+212661234567');
  fail(() => new OutcomeUnknown());
  await record.write();
  const lost = batches.at(-1);
  fail(() => new StoreUnavailable());
  for (let second = 0; second < 20; second++) {
    stage.wait(SECOND);
    for (let n = 0; n < 120; n++) refuse('+212661234567');
    await record.write();
  }
  assert.equal(warnings(), 21, 'the log keeps repetitions back');
  assert.deepEqual(batches.at(-1), lost, 'what may have been written is written as it was, or not again');
  fail(undefined);
  await record.write();
  assert.deepEqual(batches.at(-1), lost);
  await record.write();
  assert.equal(written('guard_refusal').length, 1_000);
  assert.equal(written('guard_day')[0]?.at(-2), 2_400);
});

test('what no store takes is not tried for ever', async () => {
  const { record, refuse, fail, batches } = open();
  refuse('+212661234567');
  fail(() => new TypeError('a mistake'));
  await record.write();
  await record.write();
  assert.equal(batches.length, 1);
});

test('a place that closes is told once, and told again when it opened or nobody asked for an hour', async () => {
  const { record, refuse, written, logged, stage } = open();
  stage.flood('+21266123', 60, SECOND);
  stage.wait(4 * MINUTE);
  const judgement = stage.request('+212661230099');
  const rule = judgement.allow ? 'none' : judgement.rule;
  refuse('+212661230099', { rule });
  refuse('+212661230098', { rule });
  refuse('+212669990098', { rule: 'room:range4' });
  await record.write();
  const [acting, ...more] = written('guard_event');
  assert.deepEqual(
    [acting?.[2], acting?.[3], acting?.[4], more.length],
    ['guard.acting', null, 'range3 +212661230', 0],
  );
  stage.wait(MINUTE);
  await record.write();
  assert.deepEqual(written('guard_event'), [], 'it is closed still');
  stage.wait(60 * MINUTE);
  await record.write();
  assert.deepEqual(
    written('guard_event').map((args) => args[2]),
    ['guard.recovered'],
  );
  refuse('+212661230098', { rule });
  stage.wait(30 * 24 * 60 * MINUTE);
  await record.write();
  assert.deepEqual(
    written('guard_event').map((args) => [args[2], args[5]]),
    [
      ['guard.acting', '9 unconfirmed'],
      ['guard.recovered', 'the place is open again'],
    ],
  );
  const told = logged.map((line) => /"event":"([^"]+)"/.exec(line)?.[1]);
  assert.deepEqual(told, ['guard.acting', 'guard.recovered', 'guard.acting', 'guard.recovered']);
});

test('what differs in one thing is counted apart', async () => {
  const { record, refuse, written, stage } = open();
  const destination = '+212661234567';
  const refuseAs = (asked: Parameters<typeof stage.ask>[1]) =>
    refuse(destination, { ask: stage.ask(destination, asked) });
  refuse(destination);
  refuse(destination);
  refuse(destination, { rule: 'closed:range3' });
  refuse(destination, { enforced: false });
  refuseAs({ account: 'umbrella' });
  refuseAs({ country: 'EH' });
  refuseAs({ at: stage.now - 24 * 60 * MINUTE });
  await record.write();
  const rows = written('guard_day');
  assert.deepEqual(rows.map(([, , , , , requests]) => requests).sort(), [1, 1, 1, 1, 1, 2]);
  assert.equal(new Set(rows.map((args) => args.slice(0, 5).join(' '))).size, 6);
});

test('each place is told by itself, whatever becomes of another', async () => {
  const { record, refuse, written } = open();
  refuse('+212661230001', { rule: 'bombing' });
  refuse('+212671230001', { rule: 'closed:range5' });
  await record.write();
  await record.write();
  assert.deepEqual(
    written('guard_event').map((args) => [args[2], args[4]]),
    [
      ['guard.acting', 'silent-number +21266123••••'],
      ['guard.acting', 'range5 +2126712'],
      ['guard.recovered', 'range5 +2126712'],
    ],
  );
});

test('the evidence of a place is written at once, then once a minute, for an hour', async () => {
  const { record, refuse, written, stage } = open();
  stage.flood('+21266123', 60, SECOND);
  stage.wait(4 * MINUTE);
  stage.request('+212661230099');
  refuse('+212661230099', { rule: 'closed:range5' });
  await record.write();
  const [row, ...others] = written('guard_evidence');
  assert.equal(others.length, 0);
  const [place, minute, sent, confirmed, odds, closesAt, closed, probes, next] = row ?? [];
  assert.deepEqual([place, minute], ['range5 +2126612', stage.now - (stage.now % MINUTE)]);
  assert.ok(Number(sent) > 1 && confirmed === 0 && Number(odds) > 0 && Number(closesAt) > 0);
  assert.equal(closed === 1, next !== null);
  assert.equal(probes, 0);
  stage.wait(SECOND);
  await record.write();
  assert.equal(written('guard_evidence').length, 1, 'the batch before');
  stage.wait(MINUTE);
  await record.write();
  assert.equal(written('guard_evidence')[0]?.[1], Number(minute) + MINUTE);
  for (let n = 0; n < 300; n++) refuse(`+21267${String(n).padStart(4, '0')}000`, { rule: 'closed:range3' });
  await record.write();
  assert.equal(written('guard_evidence').length, 200, 'places in bounds');
  stage.wait(61 * MINUTE);
  await record.write();
  assert.equal(written('guard_evidence').length, 0);
});

test('a budget that runs low is an event of its period and limit: once it is raised, it is another', async () => {
  const { record, written } = open();
  const charge: Charge = {
    ...{ kind: 'account country', subject: 'acc_1 MA', per: 'hour', startsAt: 0, endsAt: 60 * MINUTE },
    ...{ money: 1_000_000, messages: null },
  };
  record.budgetNearlyUsed(charge);
  record.budgetExhausted({ ...charge, kind: 'key', subject: 'key_1' });
  record.budgetExhausted({ ...charge, kind: 'key', subject: 'key_1', money: 5_000_000, messages: 10 });
  await record.write();
  assert.deepEqual(
    written('guard_event').map(([id, , ...rest]) => [id, ...rest]),
    [
      [
        'bud_account country_acc_1 MA_1_hour_0_0.8',
        'acc_1',
        'acc_1 MA',
        'account country per hour',
        '80 % of 1 is used, until 1970-01-01T01:00:00.000Z',
      ],
      [
        'bud_key_key_1_1_hour_0_1',
        null,
        'key_1',
        'key per hour',
        '100 % of 1 is used, until 1970-01-01T01:00:00.000Z',
      ],
      [
        'bud_key_key_1_5 or 10 messages_hour_0_1',
        null,
        'key_1',
        'key per hour',
        '100 % of 5 or 10 messages is used, until 1970-01-01T01:00:00.000Z',
      ],
    ],
  );
});

test('the last lines are written when the service stops', async () => {
  const { record, refuse, written } = open();
  record.start();
  refuse('+212661234567');
  await record[Symbol.asyncDispose]();
  assert.equal(written('guard_refusal').length, 1);
});
