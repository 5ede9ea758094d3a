import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compilePrefixes } from './prefixes.ts';

test('the longest prefix of a number decides', () => {
  const find = compilePrefixes([
    ['+882', 'networks'],
    ['+88216', 'Thuraya'],
    ['+1', 'North America'],
  ]);
  assert.equal(find('+88216123456'), 'Thuraya');
  assert.equal(find('+88213123456'), 'networks');
  assert.equal(find('+882'), 'networks');
  assert.equal(find('+88'), undefined);
  assert.equal(find('sip:+88216@example.com'), undefined);
  assert.equal(compilePrefixes([])('+1'), undefined);
});

test('as if each prefix had been compared', () => {
  const digits = fc.stringMatching(/^\+[12]{1,6}$/);
  fc.assert(
    fc.property(fc.uniqueArray(digits), digits, (prefixes, number) => {
      const longest = prefixes
        .filter((prefix) => number.startsWith(prefix))
        .toSorted((a, b) => b.length - a.length)[0];
      assert.equal(compilePrefixes(prefixes.map((prefix) => [prefix, prefix]))(number), longest);
    }),
  );
});
