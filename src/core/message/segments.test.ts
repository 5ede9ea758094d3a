import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../text/any-text-fixture.ts';
import { countSegments, GSM7_BASIC, GSM7_EXTENSION, isGsm7 } from './segments.ts';

test('the tables have a place for each of 128 septets', () => {
  assert.equal(GSM7_BASIC.length, 128);
  assert.equal(new Set(GSM7_BASIC).size, 128);
  assert.equal(GSM7_EXTENSION.length, 128);
});

// Landmarks of 3GPP TS 23.038, tables 6.2.1 and 6.2.1.1.
for (const [septet, character] of [
  [0x00, '@'],
  [0x09, 'Ç'],
  [0x10, 'Δ'],
  [0x11, '_'],
  [0x1b, '\u001b'],
  [0x20, ' '],
  [0x24, '¤'],
  [0x30, '0'],
  [0x40, '¡'],
  [0x41, 'A'],
  [0x5f, '§'],
  [0x60, '¿'],
  [0x61, 'a'],
  [0x7f, 'à'],
] as const) {
  test(`septet ${septet.toString(16)} is ${JSON.stringify(character)}`, () => {
    assert.equal(GSM7_BASIC[septet], character);
  });
}

test('the extension table holds the ten characters of the standard', () => {
  const characters = [...GSM7_EXTENSION].filter((character) => character !== '\0').join('');
  assert.equal(characters, '\f^{}\\[~]|€');
  assert.equal(GSM7_EXTENSION[0x65], '€');
});

test('a text is GSM-7 exactly if each of its characters is in a table', () => {
  const tables = new Set([...GSM7_BASIC, ...GSM7_EXTENSION].filter((c) => c !== '\u001b' && c !== '\0'));
  const characters = fc.oneof(fc.constantFrom(...tables), anyText({ maxLength: 1 }));
  fc.assert(
    fc.property(fc.array(characters, { maxLength: 8 }), (list) => {
      const text = list.join('');
      assert.equal(
        isGsm7(text),
        [...text].every((character) => tables.has(character)),
      );
    }),
  );
});

for (const [name, text, segments] of [
  ['nothing', '', 1],
  ['160 septets', 'a'.repeat(160), 1],
  ['161 septets', 'a'.repeat(161), 2],
  ['306 septets', 'a'.repeat(306), 2],
  ['307 septets', 'a'.repeat(307), 3],
  ['80 escaped characters', '€'.repeat(80), 1],
  ['81 escaped characters', '€'.repeat(81), 2],
  ['an escaped pair that would be cut', `${'a'.repeat(152)}€${'a'.repeat(152)}`, 3],
  ['70 UCS-2 units', 'ж'.repeat(70), 1],
  ['71 UCS-2 units', 'ж'.repeat(71), 2],
  ['134 UCS-2 units', 'ж'.repeat(134), 2],
  ['135 UCS-2 units', 'ж'.repeat(135), 3],
  ['35 surrogate pairs', '😀'.repeat(35), 1],
  ['a surrogate pair that would be cut', `${'ж'.repeat(66)}😀${'ж'.repeat(66)}`, 3],
] as const) {
  test(`${name} take ${segments}`, () => {
    assert.equal(countSegments(text), segments);
  });
}
