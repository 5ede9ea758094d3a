import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { OutgoingMessage } from '../sending/carrier.ts';
import { createPriceList } from '../sending/prices.ts';
import type { Route } from '../sending/routing.ts';
import { type Budget, periodOf } from './budget.ts';
import { createLimits } from './budgets.ts';
import { createFindLack, type Funds } from './funds.ts';

const ROUTE: Route = { channel: 'sms', carriers: ['a', 'b'] };
const NOW = Date.UTC(2026, 10, 22, 12, 59);
const MESSAGE: OutgoingMessage = {
  ...{
    id: 'ver_1',
    accountId: 'acc_1',
    test: false,
    channel: 'sms',
    code: '482913',
    locale: 'en',
    expiresAt: 0,
  },
  destination: { address: '+33612345678', kind: 'e164', country: 'FR' },
  text: '482913 is your code',
};
const PRICES = { a: { prices: { FR: 0.05 } }, b: { prices: { FR: 0.2 } }, free: {} };
const DAY = { of: 'installation', per: 'day', money: 1_000_000 } as const;
const charge = (kind: string, per: 'hour' | 'day', money: number | null, messages: number | null = null) => ({
  ...{ kind, subject: '', per, money, messages },
  ...periodOf(per, NOW),
});

function lack(
  budgets: readonly Budget[],
  reservation: Funds['reservation'],
  { carrier = 'a', message = MESSAGE, own = [], route = ROUTE }: Partial<Wishes> = {},
) {
  const findLack = createFindLack({
    findLimits: createLimits(budgets),
    priceOf: createPriceList({ carriers: PRICES, priceRows: [] }),
    payingRoute: () => (route === 'gone' ? undefined : route),
  });
  return findLack({ message, carrier, createdAt: NOW, funds: { keyId: 'key_1', own, reservation } });
}
interface Wishes {
  readonly carrier: string;
  readonly message: OutgoingMessage;
  readonly own: Funds['own'];
  readonly route: Route | 'gone';
}

suite('what a message lacks before a carrier is asked', () => {
  const held = { charges: [charge('installation', 'day', 1_000_000)], prices: { a: 50_000 } };

  test('is nothing while it holds what the carrier costs, or no budget applies', () => {
    assert.equal(lack([DAY], held), undefined);
    assert.equal(lack([], undefined), undefined);
    assert.equal(lack([], held), undefined);
    assert.equal(lack([{ ...DAY, money: 5 }], held), undefined, 'what was accepted has its room');
    assert.equal(lack([DAY], undefined, { message: { ...MESSAGE, test: true } }), undefined);
    assert.equal(lack([DAY], undefined, { route: 'gone' }), undefined);
  });

  test('is a carrier that it does not know, one that became dearer, and a text that became longer', () => {
    const { charges } = held;
    assert.deepEqual(lack([DAY], held, { carrier: 'b' }), { charges, prices: { b: 200_000 } });
    const cheap = { charges, prices: { a: 10_000 } };
    assert.deepEqual(lack([DAY], cheap), { charges, prices: { a: 50_000 } });
    assert.deepEqual(
      lack([], cheap),
      { charges: [], prices: { a: 50_000 } },
      'though this node knows no budget',
    );
    const message = { ...MESSAGE, text: 'x'.repeat(161) };
    assert.deepEqual(lack([DAY], held, { message }), { charges, prices: { a: 100_000 } });
  });

  test('is nothing either where its key was rotated, and holds in the book of the first', () => {
    const ofKey = { of: 'key', per: 'day', money: 1_000_000 } as const;
    const book = { ...charge('key', 'day', 1_000_000), subject: 'key_0' };
    const funds = { own: [], reservation: { charges: [book], prices: { a: 50_000 } } };
    const findLack = createFindLack({
      findLimits: createLimits([ofKey]),
      priceOf: createPriceList({ carriers: PRICES, priceRows: [] }),
      payingRoute: () => ROUTE,
    });
    const asked = { message: MESSAGE, carrier: 'a', createdAt: NOW };
    const rotated = { ...funds, keyId: 'key_1', predecessors: ['key_0'] };
    assert.equal(findLack({ ...asked, funds: rotated }), undefined);
    const lacking = findLack({ ...asked, funds: { ...funds, keyId: 'key_1' } });
    assert.ok(typeof lacking === 'object');
    assert.deepEqual(
      lacking.charges.map(({ subject }) => subject),
      ['key_1'],
    );
  });

  test('is the same carrier on another channel', () => {
    const message: OutgoingMessage = { ...MESSAGE, channel: 'voice', fallback: { leg: 1, from: 'sms' } };
    const { charges } = held;
    assert.deepEqual(lack([DAY], held, { message }), { charges, prices: { 'a voice': 50_000 } });
  });

  test('is a budget that was added, of the service or of the account, in the period of the request', () => {
    const added = { of: 'installation', per: 'hour', messages: 3 } as const;
    const wanted = [charge('installation', 'day', 1_000_000), charge('installation', 'hour', null, 3)];
    assert.deepEqual(lack([DAY, added], held), { charges: wanted, prices: { a: 50_000 } });
    assert.deepEqual(lack([DAY], undefined), { charges: held.charges, prices: { a: 50_000 } });
    const own = [{ of: 'account', per: 'day', messages: 1 }] as const;
    const mine = { ...charge('account', 'day', null, 1), subject: 'acc_1' };
    assert.deepEqual(lack([], undefined, { own }), { charges: [mine], prices: { a: 50_000 } });
  });

  test('is a price that nobody knows, where money is bound; otherwise nothing', () => {
    const asked = { carrier: 'free' };
    assert.equal(lack([DAY], held, asked), 'no-price');
    assert.equal(lack([], held, asked), undefined, 'the budget that it was accepted by is gone');
    assert.deepEqual(lack([{ ...DAY, worstPrice: 70_000 }], held, asked), {
      ...{ charges: held.charges, prices: { free: 70_000 } },
    });
    assert.equal(lack([], { ...held, prices: { free: 1 } }, asked), undefined);
    const counted = { charges: [charge('installation', 'day', null, 5)], prices: {} };
    assert.equal(lack([{ of: 'installation', per: 'day', messages: 5 }], counted, asked), undefined);
  });

  test('is not looked for while what it was reserved by is in effect', () => {
    const findLack = createFindLack({
      findLimits: createLimits([DAY]),
      priceOf: () => assert.fail('not asked for'),
      payingRoute: () => ROUTE,
    });
    const funds: Funds = { keyId: 'key_1', own: [], reservation: undefined, asOf: findLack };
    assert.equal(findLack({ message: MESSAGE, carrier: 'a', createdAt: NOW, funds }), undefined);
  });
});
