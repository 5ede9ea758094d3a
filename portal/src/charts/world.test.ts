import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getCountries } from 'libphonenumber-js/max';
import world from './world.json' with { type: 'json' };

test('the shapes have the codes that numbers have; what has no code is only land', () => {
  const codes = new Set<string>(getCountries());
  assert.deepEqual(
    Object.keys(world).filter((code) => !codes.has(code)),
    ['-'],
  );
  // Each has land on the map: the largest, some of the most asked for, and the smallest that is there.
  for (const code of ['RU', 'US', 'GB', 'FR', 'DE', 'IN', 'BR', 'GF', 'LU']) assert.ok(code in world, code);
  assert.ok(Object.values(world).every((shape) => /^M[\d\slMz-]+z$/.test(shape)));
});
