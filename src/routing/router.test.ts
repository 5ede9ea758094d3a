import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OutgoingMessage } from '../core/sending/carrier.ts';
import { createPriceList } from '../core/sending/prices.ts';
import type { Route } from '../core/sending/routing.ts';
import { createRouter } from './router.ts';

const EMPTY = { tally: async () => [], latencies: async () => [] };
const priceOf = createPriceList({
  carriers: { a: { prices: { default: 0.05, DE: 0.0079, '+49170': 0.01 } }, b: {} },
  priceRows: [],
});
const routerFor = (...routes: Route[]) =>
  createRouter(routes, { tallies: EMPTY, priceOf, random: Math.random });

const message: OutgoingMessage = {
  id: 'ver_1',
  accountId: 'acc_1',
  test: false,
  channel: 'sms',
  destination: { address: '+4915112345678', kind: 'e164', country: 'DE' },
  code: '482913',
  text: 'x'.repeat(161),
  locale: 'en',
  expiresAt: 0,
};

test('a message costs its segments at the price of its country', () => {
  const { costOf } = routerFor();
  assert.equal(costOf('a', message), 15_800);
  assert.equal(costOf('a', { ...message, destination: { ...message.destination, country: 'US' } }), 100_000);
  assert.equal(costOf('a', { ...message, channel: 'voice' }), 7_900);
  const special = { ...message.destination, address: '+4917012345678' };
  assert.equal(costOf('a', { ...message, destination: special }), 20_000, 'at the price of its prefix');
  assert.equal(costOf('b', message), 0);
  assert.equal(costOf('a', { ...message, test: true }), 0);
});

test('learning is needed only if a route chooses by quality', () => {
  const route: Route = { channel: 'sms', carriers: ['a', 'b'] };
  assert.equal(routerFor(route).learns, false);
  assert.equal(routerFor(route, { ...route, choose: 'quality' }).learns, true);
});

test('without data all carriers are tried, and the cheapest is the most likely', () => {
  const route: Route = { channel: 'sms', carriers: ['b', 'a'], choose: 'quality' };
  const router = routerFor(route);
  assert.equal(router.explain(route, message.destination)[0]?.carrier, 'a');
  const firsts = new Set(
    Array.from({ length: 100 }, () => router.order(route, message.destination)[0]?.carrier),
  );
  assert.deepEqual(firsts, new Set(['a', 'b']));
});
