import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { mobileNetworkOf, priceOf } from './stated-price.ts';

test('prices are read into millionths, of all parts', () => {
  assert.deepEqual(priceOf('0.03330000', 'EUR'), { amount: 33_300, currency: 'EUR' });
  assert.deepEqual(priceOf('0.00385', 'USD', '2'), { amount: 7_700, currency: 'USD' });
  assert.deepEqual(priceOf('1e-7', 'USD'), { amount: 0, currency: 'USD' });
  assert.deepEqual(priceOf('5.81e-3', 'USD'), { amount: 5_810, currency: 'USD' });
  assert.deepEqual(priceOf('0', 'EUR'), { amount: 0, currency: 'EUR' });
});

test('what is no price is left out', () => {
  for (const figure of [
    '',
    '-0.0075',
    '0,05',
    'free',
    '1e3',
    ' 1',
    '10001',
    'NaN',
    'Infinity',
    null,
    undefined,
  ]) {
    assert.equal(priceOf(figure, 'EUR'), undefined, String(figure));
  }
  for (const currency of ['', 'eur', 'EURO', '€', null, undefined]) {
    assert.equal(priceOf('0.05', currency), undefined, String(currency));
  }
  for (const times of ['0', '-1', '1.5', '100', '', null]) {
    assert.equal(priceOf('0.05', 'EUR', times), undefined, String(times));
  }
});

test('nothing that a carrier says makes a price that cannot be added up', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.double().map(String), fc.float().map(String)), (figure) => {
      const price = priceOf(figure, 'EUR', '99');
      assert.ok(price === undefined || (Number.isSafeInteger(price.amount) && price.amount >= 0));
    }),
  );
});

test('a network is an MCC of three digits and an MNC of two or three', () => {
  assert.equal(mobileNetworkOf('310', '800'), '310800');
  assert.equal(mobileNetworkOf('214', '05'), '21405');
  assert.equal(mobileNetworkOf('26201'), '26201');
  for (const codes of [['310'], ['310', null], ['GB-FIXED'], [undefined], ['1234567'], []]) {
    assert.equal(mobileNetworkOf(...codes), undefined, codes.join());
  }
});
