/** The lists do not rot: `node test/world/bite/main.ts` plays them, which takes long; that they name guards is looked at here. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { mutate } from '../../mutants/mutant.ts';
import { LISTS } from './guards.ts';
import { UNSEEN } from './unseen.ts';

const LISTED = Object.values(LISTS).flatMap(({ all }) => all);

test('each listed guard is one of the list of mutants, and is listed once', () => {
  assert.ok(LISTED.length > 140);
  assert.equal(new Set(LISTED).size, LISTED.length);
});

test('each fault that somebody invented fits its file', () => {
  for (const name of ['verdicts', 'channels', 'lookups', 'invented', 'again', 'third', 'fourth', 'fifth'])
    for (const mutant of LISTS[name]?.all ?? []) mutate(readFileSync(mutant.file, 'utf8'), mutant);
});

test('only listed guards are called unseen', () => {
  const names = LISTED.map(({ breaks }) => breaks);
  assert.deepEqual(
    Object.keys(UNSEEN).filter((name) => !names.includes(name)),
    [],
  );
});
