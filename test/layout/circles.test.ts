/** No import cycles: following imports always comes to an end. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';

const ROOT = join(import.meta.dirname, '../..');
const FILES = ['src/**/*.{ts,js}', 'portal/src/**/*.{ts,tsx}', '{client,component}/src/**/*.ts'];
/** Types count too: readers of a file need them as well. */
const IMPORT = /\b(?:from|import)\s*\(?\s*'([^']+)'/g;

function readImports(): ReadonlyMap<string, readonly string[]> {
  const files = globSync(FILES, { cwd: ROOT });
  return new Map(files.map((file) => [file, importsOf(file, readFileSync(join(ROOT, file), 'utf8'))]));
}

function importsOf(file: string, source: string): string[] {
  return [...source.matchAll(IMPORT)]
    .map(([, name = '']) => name)
    .filter((name) => name.startsWith('.') || name.startsWith('#'))
    .map((name) => {
      if (name.startsWith('.')) return normalize(join(dirname(file), name));
      // As in portal/tsconfig.json.
      return name
        .replace(/^#api$/, 'src/portal/routes.ts')
        .replace(/^#contract$/, 'src/operations/contract.ts')
        .replace(/^#contract\/(.*)\.ts$/, (_, folder: string) => {
          const ofPortal = `src/portal/${folder}/contract.ts`;
          return existsSync(join(ROOT, ofPortal)) ? ofPortal : `src/identity/${folder}/contract.ts`;
        });
    });
}

/** The files of the first cycle found, from one back to itself; undefined if there is none. */
function findCircle(imports: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const done = new Set<string>();
  const way: string[] = [];
  function walk(file: string): string[] | undefined {
    if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
    if (done.has(file)) return undefined;
    way.push(file);
    for (const next of imports.get(file) ?? []) {
      const circle = walk(next);
      if (circle !== undefined) return circle;
    }
    way.pop();
    done.add(file);
    return undefined;
  }
  for (const file of imports.keys()) {
    const circle = walk(file);
    if (circle !== undefined) return circle;
  }
  return undefined;
}

test('no file imports itself, directly or indirectly', () => {
  assert.deepEqual(findCircle(readImports())?.join('\n-> '), undefined);
});

test('every import is followed', () => {
  const imports = readImports();
  assert.ok(imports.size > 500, `${imports.size} files`);
  const lost = [...imports].flatMap(([file, names]) =>
    names.filter((name) => !existsSync(join(ROOT, name))).map((name) => `${file}: ${name}`),
  );
  assert.deepEqual(lost, []);
});

test('a cycle is found, with its path', () => {
  const imports = new Map([
    ['a', ['b', 'd']],
    ['b', ['c']],
    ['c', ['b']],
    ['d', []],
  ]);
  assert.deepEqual(findCircle(imports), ['b', 'c', 'b']);
  assert.equal(
    findCircle(
      new Map([
        ['a', ['b', 'c']],
        ['b', ['c']],
      ]),
    ),
    undefined,
  );
});

test('imports of values, of types, dynamic ones and those by the contract’s short name count', () => {
  const source = `
    import { a } from './a.ts';
    import type { b } from '../b.ts';
    export { c } from './c.ts';
    const d = await import('./d.ts');
    import './e.ts';
    import type { f } from '#contract/keys.ts';
    import type { j } from '#contract/me.ts';
    import type { h } from '#contract';
    import type { i } from '#api';
    import { g } from 'node:fs';`;
  assert.deepEqual(importsOf('src/x/file.ts', source), [
    'src/x/a.ts',
    'src/b.ts',
    'src/x/c.ts',
    'src/x/d.ts',
    'src/x/e.ts',
    'src/portal/keys/contract.ts',
    'src/identity/me/contract.ts',
    'src/operations/contract.ts',
    'src/portal/routes.ts',
  ]);
});
