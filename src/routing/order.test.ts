import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import type { Route } from '../core/sending/routing.ts';
import type { Belief } from './belief.ts';
import { AS_EXPECTED, type CarrierFacts, drawByChance, orderCarriers } from './order.ts';

const ABC: Route = { channel: 'sms', carriers: ['a', 'b', 'c'] };

function factsOf(rates: Record<string, number>, prices: Record<string, number> = {}): CarrierFacts {
  const belief = (carrier: string): Belief => {
    const rate = rates[carrier] ?? 0.8;
    return { alpha: rate * 1_000, beta: (1 - rate) * 1_000, sent: 1_000 };
  };
  return { belief, price: (carrier) => prices[carrier] };
}

const NOTHING = factsOf({});
const namesOf = (places: readonly { carrier: string }[]) => places.map(({ carrier }) => carrier).join('');

suite('order of carriers', () => {
  test('is the order of the route, unless the route says otherwise', () => {
    assert.deepEqual(orderCarriers(ABC, NOTHING, drawByChance(Math.random)), [
      { carrier: 'a', why: '1st of 3 in order' },
      { carrier: 'b', why: '2nd of 3 in order' },
      { carrier: 'c', why: '3rd of 3 in order' },
    ]);
  });

  test('needs no reason for a single carrier', () => {
    const route: Route = { channel: 'sms', carriers: ['a'], choose: 'quality' };
    assert.deepEqual(orderCarriers(route, NOTHING, AS_EXPECTED), [{ carrier: 'a', why: null }]);
  });

  test('by weight: each comes first by its share, those without one last', () => {
    const route: Route = { ...ABC, weights: { c: 30, b: 70 } };
    const draw = drawByChance(Math.random);
    const orders = Array.from({ length: 4_000 }, () => namesOf(orderCarriers(route, NOTHING, draw)));
    assert.deepEqual(new Set(orders), new Set(['bca', 'cba']));
    const share = orders.filter((order) => order === 'bca').length / orders.length;
    assert.ok(Math.abs(share - 0.7) < 0.05, `${share}`);
    assert.deepEqual(
      orderCarriers(route, NOTHING, AS_EXPECTED).map(({ why }) => why),
      ['1st of 3 by weight 70 of 100', '2nd of 3 by weight 30 of 100', '3rd of 3 in order, without a weight'],
    );
  });

  suite('by quality', () => {
    const route: Route = { ...ABC, choose: 'quality' };

    test('the best comes first, with its expected rate', () => {
      const [first] = orderCarriers(route, factsOf({ a: 0.5, b: 0.93, c: 0.9 }), AS_EXPECTED);
      assert.deepEqual(first, { carrier: 'b', why: '1st of 3 by quality: 0.93 expected of 1000 sent' });
    });

    test('the cheapest of equal carriers comes first', () => {
      const rates = { a: 0.925, b: 0.93, c: 0.9 };
      const [first] = orderCarriers(route, factsOf(rates, { a: 1, b: 2, c: 0 }), AS_EXPECTED);
      assert.equal(first?.carrier, 'a');
      assert.match(first?.why ?? '', /, cheapest of 2 alike$/);
      assert.equal(namesOf(orderCarriers(route, factsOf(rates, { b: 2 }), AS_EXPECTED)), 'bac');
      assert.equal(namesOf(orderCarriers(route, factsOf(rates), AS_EXPECTED)), 'bac');
    });

    test('a little-known carrier is tried, and the reason says so', () => {
      const facts: CarrierFacts = {
        belief: (carrier) =>
          carrier === 'c' ? { alpha: 1.6, beta: 0.8, sent: 1 } : { alpha: 900, beta: 100, sent: 1_000 },
        price: () => undefined,
      };
      const draw = drawByChance(Math.random);
      const firsts = Array.from({ length: 1_000 }, () => orderCarriers(route, facts, draw)[0]);
      const explored = firsts.filter((first) => first?.carrier === 'c');
      assert.ok(explored.length > 100 && explored.length < 700, `${explored.length}`);
      assert.ok(explored.every((first) => first?.why?.endsWith('exploring')));
    });
  });

  test('always has each carrier of the route once', () => {
    const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), { minLength: 1 });
    const above = fc.double({ min: 0.001, max: 1_000, noNaN: true });
    const any = fc.record({
      names,
      weighted: names,
      choosing: fc.constantFrom('order', 'weights', 'quality'),
      alpha: above,
      beta: above,
      price: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }),
      expected: fc.boolean(),
    });
    fc.assert(
      fc.property(any, ({ names, weighted, choosing, alpha, beta, price, expected }) => {
        const [first = 'a', ...others] = names;
        const weights = Object.fromEntries(
          weighted.filter((name) => names.includes(name)).map((name, index) => [name, index + 1]),
        );
        const route: Route = {
          channel: 'sms',
          carriers: [first, ...others],
          ...(choosing === 'quality' ? { choose: choosing } : {}),
          ...(choosing === 'weights' ? { weights } : {}),
        };
        const facts = { belief: () => ({ alpha, beta, sent: 1 }), price: () => price };
        const places = orderCarriers(route, facts, expected ? AS_EXPECTED : drawByChance(Math.random));
        assert.deepEqual(places.map(({ carrier }) => carrier).toSorted(), names.toSorted());
      }),
    );
  });
});
