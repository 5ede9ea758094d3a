import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Destination } from '../core/destination/destination.ts';
import { createPriceList } from '../core/sending/prices.ts';
import type { Route } from '../core/sending/routing.ts';
import { type ExplanationFacts, explainRoute } from './explanation.ts';

const destination: Destination = { address: '+4915112345678', kind: 'e164', country: 'DE' };
const routes: readonly Route[] = [
  { channel: 'voice', carriers: ['calls'] },
  { channel: 'sms', countries: ['US'], carriers: ['b'] },
  { channel: 'sms', carriers: ['a', 'b'], weights: { b: 1 }, dailyCap: 500 },
];
const [, , route = routes[0]] = routes;

function factsWith(wanted: Partial<ExplanationFacts> = {}): ExplanationFacts {
  assert.ok(route);
  return {
    routes,
    route,
    destination,
    message: { text: 'ж'.repeat(71), locale: 'ru' },
    order: [
      { carrier: 'b', why: 'first' },
      { carrier: 'a', why: 'second' },
    ],
    speechOf: () => 'in-english',
    currency: 'EUR',
    priceOf: createPriceList({ carriers: { b: { prices: { DE: 0.08 } } }, priceRows: [] }),
    steps: [{ route: { channel: 'voice', carriers: ['c'] }, after: 20_000 }],
    capOf: (carrier) => (carrier === 'b' ? 1_000 : undefined),
    takenToday: new Map([['b', 12]]),
    now: 2,
    states: [
      { node: 'n1', carrier: 'b', breaker: 'open', lastError: { reason: 'deadline', at: 1 }, at: 2 },
      { node: 'n2', carrier: 'b', breaker: 'closed', lastError: null, at: 2 },
    ],
    ...wanted,
  };
}

test('an explanation gives the route, why others do not match, the order and the price', () => {
  assert.deepEqual(explainRoute(factsWith()), {
    channel: 'sms',
    country: 'DE',
    route: { index: 2, chooses: 'weights', daily_cap: 500 },
    not_taken: [
      { index: 0, serves_another: 'channel' },
      { index: 1, serves_another: 'country' },
    ],
    text: { language: 'ru', characters: 71, encoding: 'UCS-2', segments: 2 },
    currency: 'EUR',
    carriers: [
      {
        carrier: 'b',
        why: 'first',
        speech: null,
        price: 0.16,
        daily_cap: 1_000,
        taken_today: 12,
        breakers: [
          { node: 'n1', state: 'open', trouble: 'set-aside', last_error: 'deadline' },
          { node: 'n2', state: 'closed', trouble: null, last_error: null },
        ],
      },
      {
        carrier: 'a',
        why: 'second',
        speech: null,
        price: null,
        daily_cap: null,
        taken_today: 0,
        breakers: [],
      },
    ],
    legs: [{ channel: 'voice', after_ms: 20_000, carriers: ['c'] }],
  });
});

test('a call has no segments and costs one price', () => {
  const calls: Route = { channel: 'voice', carriers: ['b'] };
  const { text, carriers, route } = explainRoute(
    factsWith({ routes: [calls], route: calls, order: [{ carrier: 'b', why: null }] }),
  );
  assert.deepEqual([text?.encoding, text?.segments], [null, null]);
  assert.equal(carriers[0]?.price, 0.08);
  assert.equal(carriers[0]?.speech, 'in-english');
  assert.equal(route.chooses, 'the only carrier');
});

test('a missed call has no text, and costs one price', () => {
  const calls: Route = { channel: 'flashcall', carriers: ['b'] };
  const { text, carriers } = explainRoute(
    factsWith({ routes: [calls], route: calls, order: [{ carrier: 'b', why: null }] }),
  );
  assert.deepEqual([text, carriers[0]?.price, carriers[0]?.speech], [null, 0.08, null]);
});

test('neither the number nor the text is shown', () => {
  const told = JSON.stringify(explainRoute(factsWith()));
  assert.doesNotMatch(told, /15112345678|жж/);
});
