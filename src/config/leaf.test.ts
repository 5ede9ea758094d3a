import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type, { type TSchema } from 'typebox';
import { Check } from 'typebox/schema';
import { CARRIER_TYPES } from '../carriers/all-types.ts';
import { annotationsOf } from './expectation.ts';
import { fits } from './leaf.ts';
import { createConfigSchema } from './table/schema.ts';

const leaves = leavesOf(createConfigSchema(CARRIER_TYPES));

function leavesOf(schema: TSchema): TSchema[] {
  if (Type.IsObject(schema)) return Object.values(schema.properties).flatMap(leavesOf);
  if (Type.IsRecord(schema)) return Object.values(schema.patternProperties).flatMap(leavesOf);
  if (Type.IsArray(schema)) return leavesOf(schema.items);
  if (Type.IsUnion(schema)) return schema.anyOf.flatMap(leavesOf);
  return [schema];
}

/** The values around each bound, texts that fit a pattern and the same a little altered, and what is of another kind. */
function valuesAround(schema: TSchema): unknown[] {
  const {
    minimum,
    maximum,
    minLength = 0,
    maxLength = 40,
    default: usual,
    examples = [],
  } = annotationsOf(schema);
  const numbers = [minimum, maximum, 0, 1].flatMap((n) =>
    n === undefined ? [] : [n - 1, n, n + 0.5, n + 1],
  );
  const texts = [
    usual,
    ...examples,
    'a',
    '10m',
    '0s',
    '+4915112345678',
    'https://a.example/b?c=d',
    'GB',
    'gsm-7',
  ];
  const altered = texts.flatMap((text) => [text, `${text} `, `${text}\n`, `${text}!`, String(text).slice(1)]);
  const lengths = [minLength - 1, minLength, maxLength, maxLength + 1].map((n) => 'x'.repeat(Math.max(0, n)));
  const choices = Type.IsEnum(schema) ? schema.enum : Type.IsLiteral(schema) ? [schema.const] : [];
  const others = [
    null,
    undefined,
    true,
    false,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    {},
    [],
    ['a'],
    '',
    '📱',
    'é',
  ];
  return [...numbers, ...altered, ...lengths, ...choices, ...choices.map((each) => `${each}s`), ...others];
}

test('a leaf of the table takes the values that JSON Schema says it takes, and no other', () => {
  assert.ok(leaves.length > 300);
  for (const leaf of leaves) {
    for (const value of valuesAround(leaf)) {
      assert.equal(
        fits(leaf, value),
        Check(leaf, value),
        `${JSON.stringify(leaf)}: ${JSON.stringify(value)}`,
      );
    }
  }
});

/** Words of JSON Schema that say which values fit, and that `fits` does not read. */
const UNHEEDED = /^(?:exclusive\w+|multipleOf|format|not|if|\w+Of|content\w+)$/;

test('a leaf of the table limits its values by nothing that is not looked at', () => {
  for (const leaf of leaves) {
    const unheeded = Object.keys(leaf).filter((key) => UNHEEDED.test(key));
    assert.deepEqual(unheeded, [], JSON.stringify(leaf));
  }
});

/** Unions that say it for all of theirs are told as one. */
function unsaidIn(schema: TSchema, path: string): string[] {
  const { expected, pattern } = annotationsOf(schema);
  if (expected !== undefined) return [];
  if (Type.IsObject(schema))
    return Object.entries(schema.properties).flatMap(([name, inner]) => unsaidIn(inner, `${path}.${name}`));
  if (Type.IsRecord(schema))
    return Object.values(schema.patternProperties).flatMap((inner) => unsaidIn(inner, `${path}.*`));
  if (Type.IsArray(schema)) return unsaidIn(schema.items, `${path}[]`);
  if (Type.IsUnion(schema)) return schema.anyOf.flatMap((inner) => unsaidIn(inner, path));
  return pattern === undefined ? [] : [`${path} ${pattern}`];
}

test('whatever has a form says what is expected', () => {
  assert.deepEqual(unsaidIn(createConfigSchema(CARRIER_TYPES), ''), []);
});
