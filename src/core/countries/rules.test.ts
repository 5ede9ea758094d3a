import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COUNTRY_LOCALES } from '../message/locales.ts';
import ROWS from './rules.json' with { type: 'json' };
import { COUNTRY_RULES, LINKLESS_COUNTRIES } from './rules.ts';
import SOURCES from './sources.json' with { type: 'json' };

const rules = [...COUNTRY_RULES.values()];

test('each country is one that has telephones, and stands once, in the order of the alphabet', () => {
  const countries = ROWS.map(({ country }) => country);
  assert.deepEqual(countries, [...new Set(countries)].sort());
  for (const country of countries) assert.ok(COUNTRY_LOCALES.has(country), country);
});

test('each rule names its sources, and one without a second source says that it is unsure, or is of AWS', () => {
  for (const { country, sources, unsure } of rules) {
    const [first, ...more] = sources;
    assert.ok(first !== undefined, country);
    assert.ok(more.length > 0 || unsure !== undefined || first.publisher === 'AWS', country);
    assert.equal(new Set(sources).size, sources.length, country);
  }
  const used = new Set(ROWS.flatMap((row) => row.sources));
  assert.deepEqual(
    Object.keys(SOURCES).filter((id) => !used.has(id)),
    [],
  );
  for (const { read, date = read } of rules.flatMap(({ sources }) => sources)) {
    assert.match(read, /^\d{4}-\d{2}-\d{2}$/);
    assert.ok(date <= read, date);
  }
});

test('no rule begins after its sources were read', () => {
  for (const { country, since = '', linksSince = '', sources } of rules) {
    const read =
      sources
        .map((source) => source.read)
        .sort()
        .at(-1) ?? '';
    assert.ok(since <= read && linksSince <= read, country);
  }
});

test('a form takes no more than a sender can have, and words are in lower case', () => {
  for (const { country, form, words = [] } of rules) {
    assert.ok(!form?.pattern.test('A'.repeat(12)), country);
    for (const word of words) assert.match(word, /^[a-z]+(-[a-z]+)*$/);
  }
});

test('where links may keep a text from arriving', () => {
  assert.deepEqual(LINKLESS_COUNTRIES, ['CN', 'IN', 'JP', 'MY', 'RO', 'SA', 'TH', 'TR']);
});
