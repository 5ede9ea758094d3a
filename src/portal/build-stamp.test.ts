import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { findBuildState, SOURCES, writeStamp } from './build-stamp.ts';

test('a current build is told apart from one that is missing, stale, or without sources', async (t) => {
  const folder = join(await mkdtemp(join(tmpdir(), 'countersign-stamp-')), 'portal');
  t.after(() => rm(dirname(folder), { recursive: true }));
  const put = async (name: string, text: string) => {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  };
  await put('src/main.tsx', 'one');
  await put('src/pages/keys.tsx', 'two');
  await put('../package-lock.json', '{}');
  assert.equal(await findBuildState(folder), 'missing');
  await put('dist/index.html', 'page');
  assert.equal(await findBuildState(folder), 'stale', 'a build that does not say what it is of');
  await writeStamp(folder);
  assert.equal(await findBuildState(folder), 'current');
  const later = new Date(Date.now() + 60_000);
  await utimes(join(folder, 'src/main.tsx'), later, later);
  await put('src/pages/keys.test.ts', 'tests are not built');
  assert.equal(await findBuildState(folder), 'current');

  for (const [name, text] of [
    ['src/main.tsx', 'another'],
    ['src/pages/new.tsx', 'three'],
    ['../package-lock.json', '{ }'],
    ['vite.config.ts', 'other'],
  ] as const) {
    await put(name, text);
    assert.equal(await findBuildState(folder), 'stale', name);
    await writeStamp(folder);
  }
  await rm(join(folder, 'src/pages/new.tsx'));
  assert.equal(await findBuildState(folder), 'stale', 'a file that is gone');
  await rm(join(folder, 'src'), { recursive: true });
  assert.equal(await findBuildState(folder), 'unknown', 'an image carries the build only');
});

/** What a file imports by a relative path, and not only as types. */
function importsOf(file: string): string[] {
  const found = readFileSync(file, 'utf8').matchAll(/^(?:import|export) (?!type )[^;]*?from '(\.[^']+)';/gms);
  return Array.from(found, ([, path = '']) => join(dirname(file), path)).filter((each) => existsSync(each));
}

test('a build is of every file of the service that its pages import', () => {
  const portal = join(import.meta.dirname, '../../portal');
  const files = new Set(
    globSync(join(portal, 'src/**/*.{ts,tsx}')).filter((file) => !file.includes('.test.')),
  );
  // A set hands out what is added while it is walked.
  for (const file of files) for (const each of importsOf(file)) files.add(each);
  const outside = [...files].map((file) => relative(portal, file)).filter((file) => file.startsWith('..'));
  assert.ok(outside.length > 10, 'the files were found');
  const isCounted = (file: string) => SOURCES.some((each) => file === each || file.startsWith(`${each}/`));
  assert.deepEqual(outside.filter((file) => !isCounted(file)).sort(), []);
});
