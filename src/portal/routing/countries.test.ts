import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createPriceList } from '../../core/sending/prices.ts';
import type { Route } from '../../core/sending/routing.ts';
import { viewCountries } from './countries.ts';

const PRICES = { a: { prices: { '+43': 0.07, US: 0.01, default: 0.05 } }, b: { prices: { default: 0.02 } } };

function view(routes: readonly Route[], allowed: readonly string[] = []) {
  const { countries } = viewCountries(
    {
      config: { currency: 'EUR', routes },
      priceOf: createPriceList({ carriers: PRICES, priceRows: [] }),
      resolver: { countries: allowed },
    },
    [],
  );
  return (wanted: string) => countries.find(({ country }) => country === wanted);
}

suite('countries', () => {
  test('a route that takes some numbers of a country serves it, also by their beginning alone', () => {
    const of = view([
      { channel: 'sms', prefixes: ['+43', '+1416'], carriers: ['a'] },
      { channel: 'voice', countries: ['DE'], carriers: ['b'] },
    ]);
    assert.deepEqual([of('AT')?.channels, of('AT')?.lowest_price], [['sms'], 0.07]);
    assert.deepEqual(of('CA')?.channels, ['sms']);
    assert.deepEqual(of('DE')?.channels, ['voice']);
    assert.deepEqual([of('FR')?.channels, of('FR')?.lowest_price], [[], null]);
  });

  test('after a route that takes all, none of its channel is asked', () => {
    const of = view([
      { channel: 'sms', countries: ['US'], carriers: ['a'] },
      { channel: 'sms', carriers: ['b'] },
    ]);
    assert.deepEqual([of('US')?.lowest_price, of('US')?.highest_price], [0.01, 0.01]);
    assert.equal(of('FR')?.highest_price, 0.02);
  });

  test('what is in no country is there, and a country whose numbers all count as another’s is not', () => {
    const of = view([{ channel: 'sms', carriers: ['a'] }], ['US', 'ZZ']);
    assert.deepEqual([of('ZZ')?.allowed, of('US')?.allowed, of('FR')?.allowed], [true, true, false]);
    assert.equal(of('EH'), undefined);
  });
});
