import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createPriceList } from '../sending/prices.ts';
import type { Route } from '../sending/routing.ts';
import { NO_KEY } from '../verification/carrier-test.ts';
import { type Budget, nameBudget, periodOf } from './budget.ts';
import { type Applying, createBudgets, ratiosOf, reserve } from './budgets.ts';

const ROUTE: Route = { channel: 'sms', countries: ['FR', 'DE'], carriers: ['a', 'b'] };
const FRENCH = { address: '+33612345678', kind: 'e164', country: 'FR' } as const;
const ASKED = { accountId: 'acc_1', keyId: 'key_1', destination: FRENCH, route: ROUTE, own: [] };
const IN_GERMANY = { destination: { address: '+4915112345678', kind: 'e164', country: 'DE' } };
const PRICES = { a: { prices: { FR: 0.05, DE: 0.08 } }, b: { prices: { FR: 0.07 } } };
const NOW = Date.UTC(2024, 1, 29, 23, 59, 59, 999);

const find = (budgets: readonly Budget[], asked: object = {}) =>
  createBudgets(budgets, createPriceList({ carriers: PRICES, priceRows: [] }))({ ...ASKED, ...asked });

function applying(budgets: readonly Budget[], asked?: object): Applying {
  const found = find(budgets, asked);
  assert.ok(typeof found === 'object');
  return found;
}

suite('budgets', () => {
  test('where none applies, nothing is reserved', () => {
    assert.equal(find([]), undefined);
    assert.equal(find([{ of: 'country', per: 'day', money: 1, only: 'DE' }]), undefined);
    assert.equal(find([{ of: 'account', per: 'day', money: 1, only: 'acc_2' }]), undefined);
  });

  test('without a key, as a test of a carrier is sent, budgets of keys do not apply', () => {
    const ofKeys: Budget[] = [{ of: 'key', per: 'day', money: 1 }];
    assert.equal(find(ofKeys, { keyId: NO_KEY }), undefined);
    assert.equal(find([], { keyId: NO_KEY, own: [{ of: 'key', per: 'hour', messages: 1 }] }), undefined);
    const { limits } = applying([...ofKeys, { of: 'account', per: 'day', money: 2 }], { keyId: NO_KEY });
    assert.deepEqual(
      limits.map(({ kind }) => kind),
      ['account'],
    );
  });

  test('a key that was rotated goes on in the book of the first of its line', () => {
    const rotated = { keyId: 'key_3', predecessors: ['key_1', 'key_2'] };
    const booksOf = (budgets: readonly Budget[], asked: object) => {
      const found = find(budgets, asked);
      return typeof found === 'object' ? found.limits.map(({ subject, money }) => [subject, money]) : [];
    };
    const each: Budget = { of: 'key', per: 'day', money: 9 };
    assert.deepEqual(booksOf([each], rotated), [['key_1', 9]]);
    assert.deepEqual(booksOf([], { ...rotated, own: [{ of: 'key', per: 'day', money: 4 }] }), [['key_1', 4]]);
    const only = (key: string): Budget => ({ of: 'key', per: 'day', money: 5, only: key });
    for (const key of ['key_1', 'key_2', 'key_3'])
      assert.deepEqual(booksOf([only(key)], rotated), [[key, 5]], 'whichever of them it names');
    assert.deepEqual(booksOf([only('key_4')], rotated), [], 'not a later one');
    assert.deepEqual(booksOf([only('key_2')], { keyId: 'key_1' }), [], 'nor for one before it');
    assert.deepEqual(booksOf([each, only('key_1')], rotated), [['key_1', 5]], 'one book has one limit');
    assert.deepEqual(booksOf([each, only('key_2')], rotated), [
      ['key_1', 9],
      ['key_2', 5],
    ]);
  });

  test('each holder has its own, of one kind and period a single one with the lowest limits', () => {
    const { limits } = applying(
      [
        { of: 'installation', per: 'month', money: 9 },
        { of: 'account', per: 'day', money: 50 },
        { of: 'account', per: 'day', messages: 7, only: 'acc_1' },
        { of: 'key', per: 'hour', messages: 3 },
        { of: 'country', per: 'day', money: 8 },
        { of: 'country', per: 'day', money: 5, only: 'FR' },
        { of: 'route', per: 'day', money: 4 },
      ],
      {
        own: [
          { of: 'account', per: 'day', money: 60, messages: 5 },
          { of: 'country', per: 'day', money: 2 },
        ],
      },
    );
    assert.deepEqual(limits, [
      { kind: 'installation', subject: '', per: 'month', money: 9, messages: null },
      { kind: 'account', subject: 'acc_1', per: 'day', money: 50, messages: 5 },
      { kind: 'key', subject: 'key_1', per: 'hour', money: null, messages: 3 },
      { kind: 'country', subject: 'FR', per: 'day', money: 5, messages: null },
      { kind: 'route', subject: 'route sms DE,FR', per: 'day', money: 4, messages: null },
      { kind: 'account country', subject: 'acc_1 FR', per: 'day', money: 2, messages: null },
    ]);
    assert.equal(limits[5] && nameBudget(limits[5]), 'account country per day');
  });

  test('a budget of the account lowers what the operator lets it send, and never raises it', () => {
    const wide = { of: 'account', per: 'day', money: 90, messages: 9 } as const;
    const narrow = { of: 'account', per: 'day', money: 70, messages: 7 } as const;
    for (const [operators, own] of [
      [narrow, wide],
      [wide, narrow],
    ] as const) {
      const [limit, ...others] = applying([operators], { own: [own] }).limits;
      assert.deepEqual([limit?.money, limit?.messages, others], [70, 7, []]);
    }
  });

  test('all segments at every carrier of the route are reserved', () => {
    const budget = applying([{ of: 'installation', per: 'day', money: 1 }]);
    assert.deepEqual(reserve(budget, 3, NOW, () => 1).prices, { a: 150_000, b: 210_000 });
  });

  test('without a price the stated worst one counts, the highest of several, or the message is refused', () => {
    const money: Budget = { of: 'installation', per: 'day', money: 1 };
    assert.equal(find([money], IN_GERMANY), 'no-price');
    assert.equal(find([], { ...IN_GERMANY, own: [{ of: 'key', per: 'day', money: 1 }] }), 'no-price');
    const stated: Budget[] = [
      { ...money, worstPrice: 200_000 },
      { of: 'account', per: 'day', money: 1, worstPrice: 300_000 },
      { of: 'key', per: 'day', money: 1, worstPrice: 900_000, only: 'key_2' },
    ];
    assert.deepEqual(applying(stated, IN_GERMANY).prices, { a: 80_000, b: 300_000 });
    const counted = applying([{ of: 'key', per: 'day', messages: 1 }], IN_GERMANY);
    assert.deepEqual(counted.prices, { a: 80_000, b: 0 });
  });

  test('a budget of money is bound to a price, whatever other budgets apply', () => {
    const money: Budget = { of: 'installation', per: 'day', money: 1 };
    const messages: Budget = { of: 'key', per: 'hour', messages: 5 };
    assert.equal(find([money, messages], IN_GERMANY), 'no-price');
    assert.equal(find([messages, money], IN_GERMANY), 'no-price');
  });

  test('periods are hours, days and months of UTC', () => {
    const ends = (per: 'hour' | 'day' | 'month') => {
      const { startsAt, endsAt } = periodOf(per, NOW);
      return [startsAt, endsAt].map((at) => new Date(at).toISOString());
    };
    assert.deepEqual(ends('hour'), ['2024-02-29T23:00:00.000Z', '2024-03-01T00:00:00.000Z']);
    assert.deepEqual(ends('day'), ['2024-02-29T00:00:00.000Z', '2024-03-01T00:00:00.000Z']);
    assert.deepEqual(ends('month'), ['2024-02-01T00:00:00.000Z', '2024-03-01T00:00:00.000Z']);
    assert.deepEqual(periodOf('day', NOW + 1).startsAt, NOW + 1);
  });

  test('a ratio is that of the fullest budget of its name', () => {
    const budgets: Budget[] = [
      { of: 'installation', per: 'day', money: 1_000, messages: 4 },
      { of: 'country', per: 'day', money: 100 },
      { of: 'country', per: 'day', money: 10, only: 'FR' },
      { of: 'key', per: 'hour', money: 10 },
    ];
    const uses = [
      { kind: 'installation', subject: null, per: 'day', money: 99, messages: 3 },
      { kind: 'country', subject: null, per: 'day', money: 50, messages: 0 },
      { kind: 'country', subject: 'FR', per: 'day', money: 9, messages: 0 },
      { kind: 'country', subject: null, per: 'month', money: 900, messages: 0 },
    ] as const;
    assert.deepEqual(Object.fromEntries(ratiosOf(budgets, uses)), {
      'installation per day': 0.75,
      'country per day': 0.9,
      'key per hour': 0,
    });
  });
});
