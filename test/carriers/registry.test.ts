/** The types of carriers are listed once: folders, reference, editors' schema and documentation agree. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { CARRIER_TYPES } from '../../src/carriers/all-types.ts';
import { loadTypeOf, loadTypesNamed } from '../../src/carriers/registry.ts';
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

test('a type is found by its own name, and a name that is none finds nothing', async () => {
  for (const type of CARRIER_TYPES) {
    const name = type.options.properties.type.const;
    assert.deepEqual(await loadTypesNamed([name, name]), [type]);
    assert.equal(await loadTypeOf({ type: name }), type);
  }
  assert.deepEqual(await loadTypesNamed(['constructor', '', 7, undefined, null, {}]), []);
  await assert.rejects(loadTypeOf({ type: 'constructor' }), /not a type of carrier/);
});

test('what a service takes loads no type of carrier until its configuration names one', () => {
  const loaded = filesLoadedBy('src/cli/serve.ts');
  assert.ok(loaded.includes('src/carriers/registry.ts'));
  assert.deepEqual(
    loaded.filter((path) => /^src\/carriers\/\w+\/(type|options)\.ts$/.test(path)),
    [],
  );
});

test('all types together load the code of no carrier', () => {
  const types = 'src/carriers/all-types.ts';
  const loaded = filesLoadedBy(types);
  assert.ok(loaded.includes(types));
  assert.deepEqual(
    loaded.filter((path) => /^src\/carriers\/\w+\/(carrier|transport|link|receipt)\.ts$/.test(path)),
    [],
  );
});

test('the code of each type can be loaded', async () => {
  for (const { load } of CARRIER_TYPES) assert.equal(typeof (await load()).create, 'function');
});
