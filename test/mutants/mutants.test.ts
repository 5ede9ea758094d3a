/** The list does not rot: `npm run mutants` runs it, which takes minutes; that it can be run is looked at here. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { MUTANTS } from './all.ts';
import { type Mutant, mutate } from './mutant.ts';
import { ROOT } from './scratch.ts';

/** Why a mutant cannot be run; empty if it can. */
function misfits(mutant: Mutant): string[] {
  const { file, tests } = mutant;
  const said: string[] = [];
  try {
    const source = readFileSync(join(ROOT, file), 'utf8');
    if (mutate(source, mutant) === source) said.push('the edit changes nothing');
  } catch (error) {
    said.push(String(error));
  }
  if (tests.length === 0) said.push('it names no tests');
  for (const name of tests) if (!existsSync(join(ROOT, name))) said.push(`${name} is not there`);
  return said.map((why) => `${file}: ${mutant.breaks}: ${why}`);
}

test('every edit still fits, and its tests are there', () => {
  assert.deepEqual(MUTANTS.flatMap(misfits), []);
});

test('each way in which an edit does not fit is named', () => {
  const edit = {
    breaks: 'it',
    file: 'package.json',
    from: '"type": "module"',
    to: '',
    tests: ['package.json'],
  };
  const why = (change: Partial<Mutant>) => misfits({ ...edit, ...change }).join();
  assert.equal(why({}), '');
  assert.match(why({ from: 'nowhere in there' }), /package\.json has 0 places/);
  assert.match(why({ to: edit.from }), /the edit changes nothing/);
  assert.match(why({ file: 'gone.ts' }), /ENOENT/);
  assert.match(why({ tests: [] }), /it names no tests/);
  assert.match(why({ tests: ['gone.ts'] }), /gone\.ts is not there/);
});

test('an edit that fits in no place, or in two, is refused', () => {
  const edit = { breaks: '', file: 'some.ts', from: 'a', to: '$1', tests: [] };
  assert.equal(mutate('a;b', edit), '$1;b');
  assert.throws(() => mutate('b', edit), /some\.ts has 0 places/);
  assert.throws(() => mutate('a;a', edit), /some\.ts has 2 places/);
});
