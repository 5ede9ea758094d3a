/** Trying the guard on an account's own history, with what is not saved. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addGuardRule } from '../../../src/accounts/guarding/guard-rules.ts';
import type { GuardMode } from '../../../src/core/guarding/guard-mode.ts';
import { query } from '../../../src/core/sql/records.ts';
import type { History, HistoryQuery } from '../../../src/core/verification/reading/history.ts';
import { backtest } from '../../../src/guard/recorded/backtest.ts';
import { readPastRequests } from '../../../src/guard/recorded/past-requests.ts';
import { reportJson } from '../../../src/guard/recorded/report-json.ts';
import type { OperatorRule } from '../../../src/guard/rules.ts';
import type { BacktestAnswer } from '../../../src/portal/guard/contract.ts';
import { filesLoadedBy } from '../../loaded.ts';
import {
  attempt,
  DAY,
  guessAt,
  HOUR,
  MINUTE,
  SECOND,
  SUBMITTED,
  settlement,
} from '../../store/contract/rig.ts';
import { ACCOUNT, type LookupRig, openLookup, path } from './lookup-rig.ts';

const PEOPLE = 40;
const BOTS = 120;
const COST = 50_000;
const URL = path('guard/backtest');
const BY = { role: 'developer' } as const;
const DENIED: OperatorRule = {
  ...{ action: 'deny', of: 'range', value: '+49151000', account: ACCOUNT, reason: 'fraud' },
};

/** People who confirm, bots of one range who do not, one more person days ago, and another account's. */
async function fill(rig: LookupRig): Promise<void> {
  const now = Date.now();
  const start = now - 5 * HOUR;
  async function send(number: string, createdAt: number, isConfirmed: boolean, accountId = ACCOUNT) {
    const made = await rig.send(number, { createdAt, accountId, keyId: 'key_1' });
    await rig.store.settle(settlement(made, SUBMITTED, [attempt(createdAt, { cost: COST })]));
    if (isConfirmed) await rig.store.confirm(guessAt(made, 'right', createdAt + 12 * SECOND));
  }
  const digits = (i: number) => `${(i * 7_919_123) % 10_000_000}`.padStart(7, '0');
  await Promise.all([
    ...Array.from({ length: PEOPLE }, (_, i) =>
      // The first number begins as what is denied, the second as what is tried.
      send(`+49151${['00000001', '10000001'][i] ?? `2${digits(i)}`}`, start + i * 3 * MINUTE, true),
    ),
    ...Array.from({ length: BOTS }, (_, i) =>
      send(`+21266123${String(i).padStart(4, '0')}`, start + HOUR + i * 4 * SECOND, false),
    ),
    send('+4915120000009', now - 3 * DAY, true),
    send('+4915120000008', start, true, 'acc_other'),
  ]);
}

test('what is tried is judged as a back-test does, with the rules that apply and one that is not saved', async (t) => {
  const rig = await openLookup(t);
  await fill(rig);
  const rule = { action: 'deny', subject: 'range', endsAt: null, reason: 'fraud' } as const;
  const by = { name: 'Ada', address: null };
  const deps = { records: rig.store, keyring: rig.keyring };
  for (const [accountId, value] of [
    [ACCOUNT, DENIED.value],
    ['acc_other', '+49151'],
  ] as const) {
    const account = 'INSERT INTO account (id, name, created_at) VALUES ($1, $1, 0)';
    await query(rig.store, account, accountId);
    const added = await addGuardRule(deps, { ...rule, accountId, value, by, now: Date.now() });
    assert.equal(added.kind, 'added');
  }

  const ask = async (body: object): Promise<BacktestAnswer> => {
    const { status, json, text } = await rig.post(URL, body, BY);
    assert.equal(status, 200, text);
    assert.doesNotMatch(text, /\+\d/);
    return json;
  };
  async function expected(mode: GuardMode, days: number, rules: readonly OperatorRule[]) {
    const now = Date.now();
    const sources = { history: rig.store, keyring: rig.keyring, guesses: 5 };
    const span = { accountId: ACCOUNT, from: now - days * DAY, to: now, now };
    const report = await backtest(readPastRequests(sources, span), { rules, modeOf: () => mode });
    return { ...reportJson(report, 'EUR'), cut: false };
  }

  const plain = await ask({ mode: 'enforce', days: 1 });
  assert.deepEqual(plain, await expected('enforce', 1, [DENIED]));
  assert.deepEqual([plain.whole.requests, plain.whole.confirmed], [PEOPLE + BOTS, PEOPLE]);
  assert.equal(plain.whole.turned_away, 1);
  assert.ok(plain.whole.refused > BOTS / 2, `${plain.whole.refused} refused`);
  assert.ok(Math.abs(plain.whole.saved - (plain.whole.refused * COST) / 1e6) < 1e-9);

  const watched = await ask({ mode: 'observe', days: 1 });
  assert.deepEqual(watched, await expected('observe', 1, [DENIED]));
  assert.notDeepEqual(watched, plain);

  const days = await ask({ mode: 'enforce', days: 7 });
  assert.equal(days.whole.requests, PEOPLE + BOTS + 1);

  const tried = { action: 'deny', subject: 'range', value: '+49 151 100' };
  const more = await ask({ mode: 'enforce', days: 1, rule: tried });
  assert.deepEqual(more, await expected('enforce', 1, [DENIED, { ...DENIED, value: '+49151100' }]));
  assert.equal(more.whole.turned_away, 2);
  assert.deepEqual(await ask({ mode: 'enforce', days: 1 }), plain, 'nothing was kept');
});

test('what cannot be tried is refused, with the field', async (t) => {
  const rig = await openLookup(t);
  const good = { mode: 'enforce', days: 1 };
  const rule = { action: 'deny', subject: 'range', value: '12' };
  for (const [body, field] of [
    [{ ...good, mode: 'off' }, 'mode'],
    [{ ...good, days: 31 }, 'days'],
    [{ ...good, days: 0 }, 'days'],
    [{ ...good, rule }, 'rule/value'],
    [{ ...good, rule: { ...rule, value: '+4915112345678' } }, 'rule/value'],
    [{ ...good, rule: { ...rule, subject: 'number' } }, 'rule/subject'],
  ] as const) {
    const { status, text } = await rig.post(URL, body, BY);
    assert.equal(status, 400, text);
    assert.deepEqual(
      JSON.parse(text).errors.map((error: { field: string }) => error.field),
      [field],
    );
  }
});

test('a history without end is cut, and read in small pages', async (t) => {
  const asked: HistoryQuery[] = [];
  const history: History = {
    async readHistory(query) {
      asked.push(query);
      return { verifications: [], next: `ver_${asked.length}` };
    },
  };
  const rig = await openLookup(t, { history });
  const { json } = await rig.post(URL, { mode: 'enforce', days: 30 }, BY);
  const { cut, from, whole }: BacktestAnswer = json;
  assert.deepEqual([cut, from, whole.requests], [true, null, 0]);
  assert.deepEqual([asked.length, new Set(asked.map(({ limit }) => limit))], [400, new Set([500])]);
  assert.ok(asked.every(({ accountId }) => accountId === ACCOUNT));
});

test('one runs at a time, and its place is free again when it fails', async (t) => {
  const first = Promise.withResolvers<never>();
  const begun = Promise.withResolvers<void>();
  let reads = 0;
  const history: History = {
    async readHistory() {
      reads += 1;
      if (reads > 1) return { verifications: [], next: null };
      begun.resolve();
      return first.promise;
    },
  };
  const rig = await openLookup(t, { history });
  const body = { mode: 'enforce', days: 1 };
  const running = rig.post(URL, body, BY);
  await begun.promise;
  const refused = await rig.post(URL, body, BY);
  assert.deepEqual([refused.status, JSON.parse(refused.text).type], [503, '/problems/overloaded']);
  first.reject(new Error('the store is gone'));
  assert.equal((await running).status, 500);
  assert.equal((await rig.post(URL, body, BY)).status, 200);
});

test('its code is not loaded by the start of the service', () => {
  const loaded = filesLoadedBy('src/main.ts', 'src/portal/index.ts');
  assert.ok(loaded.includes('src/portal/lookup.ts'));
  assert.deepEqual(
    loaded.filter(
      (path) => path.startsWith('src/guard/recorded/') || path === 'src/portal/guard/backtest.ts',
    ),
    [],
  );
});
