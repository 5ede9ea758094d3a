/** The list does not rot: `npm run mutants` runs it, which takes minutes; that it can be run is looked at here. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { MUTANTS } from './all.ts';
import { mutate } from './mutant.ts';
import { ROOT } from './scratch.ts';

suite('mutants', () => {
  for (const mutant of MUTANTS) {
    test(`${mutant.file}: ${mutant.breaks}`, () => {
      const source = readFileSync(join(ROOT, mutant.file), 'utf8');
      assert.notEqual(mutate(source, mutant), source);
      assert.ok(mutant.tests.length > 0);
      for (const file of mutant.tests) assert.ok(existsSync(join(ROOT, file)), `${file} is not there`);
    });
  }

  test('an edit that fits in no place, or in two, is refused', () => {
    const edit = { breaks: '', file: 'some.ts', from: 'a', to: '$1', tests: [] };
    assert.equal(mutate('a;b', edit), '$1;b');
    assert.throws(() => mutate('b', edit), /some\.ts has 0 places/);
    assert.throws(() => mutate('a;a', edit), /some\.ts has 2 places/);
  });
});
