/** The lists do not rot: `node test/world/bite/main.ts` plays them, which takes long; that they name guards is looked at here. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LISTED } from './guards.ts';
import { UNSEEN } from './unseen.ts';

test('each listed guard is one of the list of mutants, and is listed once', () => {
  assert.ok(LISTED.length > 80);
  assert.equal(new Set(LISTED).size, LISTED.length);
});

test('only listed guards are called unseen', () => {
  const names = LISTED.map(({ breaks }) => breaks);
  assert.deepEqual(
    Object.keys(UNSEEN).filter((name) => !names.includes(name)),
    [],
  );
});
