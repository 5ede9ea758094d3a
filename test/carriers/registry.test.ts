/** The types of carriers are listed once: folders, reference, editors' schema and documentation agree. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { CARRIER_TYPES } from '../../src/carriers/registry.ts';
import { readProjectFile } from '../deploy/project.ts';
import { filesLoadedBy } from '../loaded.ts';

const NAMES = CARRIER_TYPES.map(({ options }) => options.properties.type.const).toSorted();

function headings(path: string, pattern: RegExp): string[] {
  return Array.from(readProjectFile(path).matchAll(pattern), ([, name = '']) => name).toSorted();
}

test('every folder with a type of carrier is registered, under its name', () => {
  const folder = new URL('../../src/carriers/', import.meta.url);
  const folders = readdirSync(folder).filter((name) => existsSync(new URL(`${name}/type.ts`, folder)));
  assert.deepEqual(folders.toSorted(), NAMES);
});

test('the reference of the configuration has a section for each type, and for no other', () => {
  assert.deepEqual(headings('docs/configuration.md', /^## `carriers\.NAME`, type `(.+)`$/gm), NAMES);
});

test("the editors' schema knows each type, and no other", () => {
  const { properties } = JSON.parse(readProjectFile('countersign.schema.json'));
  const [of]: { anyOf: { properties: { type: { const: string } } }[] }[] = Object.values(
    properties.carriers.patternProperties,
  );
  assert.deepEqual(of?.anyOf.map(({ properties: { type } }) => type.const).toSorted(), NAMES);
});

test('the documentation has a section for each type, and for no other', () => {
  assert.deepEqual(headings('docs/carriers.md', /^## `(.+)`$/gm), NAMES);
});

test('the registry itself loads the code of no carrier', () => {
  const registry = 'src/carriers/registry.ts';
  const loaded = filesLoadedBy(registry);
  assert.ok(loaded.includes(registry));
  assert.deepEqual(
    loaded.filter((path) => /^src\/carriers\/\w+\/(carrier|transport|link|receipt)\.ts$/.test(path)),
    [],
  );
});

test('the code of each type can be loaded', async () => {
  for (const { load } of CARRIER_TYPES) assert.equal(typeof (await load()).create, 'function');
});
