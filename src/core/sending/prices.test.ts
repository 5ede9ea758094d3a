import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Channel } from '../destination/channel.ts';
import { restoreDestination } from '../destination/destination.ts';
import {
  countUnits,
  createPriceList,
  type PriceRow,
  type PriceSources,
  withFreeSimulator,
} from './prices.ts';

const priceWith = (sources: Partial<PriceSources>) => {
  const priceOf = createPriceList({ carriers: {}, priceRows: [], ...sources });
  return (carrier: string, country: string, address = '+999', channel: Channel = 'sms') =>
    priceOf(carrier, { channel, destination: restoreDestination(address, country) });
};

test("a country's price goes before the default, and none is not nothing", () => {
  const price = priceWith({
    carriers: { a: { prices: { default: 0.05, DE: 0.0079 } }, b: { prices: { US: 0 } }, c: {} },
  });
  assert.equal(price('a', 'DE'), 7_900);
  assert.equal(price('a', 'FR'), 50_000);
  assert.equal(price('b', 'US'), 0);
  assert.equal(price('b', 'DE'), undefined);
  assert.equal(price('c', 'DE'), undefined);
  assert.equal(price('nobody', 'DE'), undefined);
});

test('the longest prefix goes before the country, and the country before its calling code', () => {
  const prices = { default: 9, '+1': 1, JM: 2, '+1876555': 3, DE: 4, '+4915': 5, '+49': 6, '+883': 7, ZZ: 8 };
  const price = priceWith({ carriers: { a: { prices } } });
  assert.equal(price('a', 'US', '+14155550123'), 1_000_000);
  assert.equal(price('a', 'JM', '+18765551234'), 3_000_000);
  assert.equal(price('a', 'JM', '+18769991234'), 2_000_000);
  assert.equal(price('a', 'DE', '+4915112345678'), 5_000_000);
  assert.equal(price('a', 'DE', 'tel:+4915112345678;ext=1'), 5_000_000);
  assert.equal(price('a', 'DE', '+4930123456'), 4_000_000);
  assert.equal(price('a', 'ZZ', '+883510001234567'), 7_000_000);
  assert.equal(price('a', 'ZZ', 'sip:+4915@example.com'), 8_000_000);
  assert.equal(price('a', 'FR', '+33612345678'), 9_000_000);
});

test('rows of a file are for one channel, or for all', () => {
  const row = (to: string, value: number, channel?: Channel): PriceRow => ({
    carrier: 'a',
    channel,
    to,
    price: value,
  });
  const priceRows = [row('DE', 0.08, 'sms'), row('DE', 0.015, 'voice'), row('default', 0.05)];
  const price = priceWith({ priceRows, carriers: { b: { prices: { DE: 1 } } } });
  assert.equal(price('a', 'DE', '+4915112345678', 'sms'), 80_000);
  assert.equal(price('a', 'DE', '+4915112345678', 'voice'), 15_000);
  assert.equal(price('a', 'FR', '+33612345678', 'voice'), 50_000);
  assert.equal(price('b', 'DE', '+4915112345678', 'voice'), 1_000_000);
});

test('an SMS is charged by its segments, a call once', () => {
  assert.equal(countUnits('sms', 'x'.repeat(160)), 1);
  assert.equal(countUnits('sms', 'x'.repeat(161)), 2);
  assert.equal(countUnits('sms', 'Ж'.repeat(71)), 2);
  assert.equal(countUnits('voice', 'x'.repeat(1_000)), 1);
});

test('the simulator is free, also where prices are configured for it', () => {
  const carriers = {
    fake: { type: 'simulator', prices: { default: 1 } },
    real: { type: 'http', prices: {} },
  };
  const priceOf = withFreeSimulator(createPriceList({ carriers, priceRows: [] }), carriers);
  const message = { channel: 'sms', destination: { address: '+4915112345678', country: 'DE' } } as const;
  assert.deepEqual([priceOf('fake', message), priceOf('real', message)], [0, undefined]);
});
