/**
 * One name for one thing: what `src` exports under a name comes from one file. Twins are exempt: files of one name in sister folders (a
 * store or a carrier each), of which whoever imports one knows by the folder which it is. So are fixtures, which only tests see.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';

const ROOT = join(import.meta.dirname, '../..');
const EXPORTED =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|const|let|class|interface|type|enum) ([\w$]+)/gm;

/** Files by the name that they export. */
function readExports(): ReadonlyMap<string, readonly string[]> {
  const files = globSync('src/**/*.ts', { cwd: ROOT }).filter((file) => !/(\.test|fixture)\.ts$/.test(file));
  const pairs = files.flatMap((file) => {
    const source = readFileSync(join(ROOT, file), 'utf8');
    return [...new Set([...source.matchAll(EXPORTED)].map(([, name = '']) => name))].map((name) => ({
      name,
      file,
    }));
  });
  const found = Map.groupBy(pairs, ({ name }) => name);
  return new Map([...found].map(([name, list]) => [name, list.map(({ file }) => file)]));
}

/** Of files at the same path below sister folders. */
function areTwins(files: readonly string[]): boolean {
  const names = new Set(files.map((file) => basename(file)));
  const folders = new Set(files.map((file) => dirname(file)));
  if (names.size !== 1 || folders.size !== files.length) return false;
  const parts = files.map((file) => file.split('/'));
  const differing = parts[0]?.filter((part, i) => parts.some((other) => other[i] !== part)) ?? [];
  return differing.length === 1 && new Set(parts.map(({ length }) => length)).size === 1;
}

test('an exported name comes from one file', () => {
  const several = [...readExports()].filter(([, files]) => files.length > 1 && !areTwins(files));
  assert.deepEqual(
    several.map(([name, files]) => `${name}: ${files.join(', ')}`),
    [],
  );
});

test('exports are found, and twins are told from others', () => {
  const exported = readExports();
  assert.ok(exported.size > 1_000, `${exported.size} names`);
  assert.ok((exported.get('createIssue')?.length ?? 0) > 1);
  assert.ok(areTwins(['src/store/sqlite/messages/queue.ts', 'src/store/postgres/messages/queue.ts']));
  assert.ok(!areTwins(['src/store/sqlite/messages/queue.ts', 'src/core/events/queue.ts']));
  assert.ok(!areTwins(['src/delivery/gate/semaphore.ts', 'src/delivery/gate/pace.ts']));
});
