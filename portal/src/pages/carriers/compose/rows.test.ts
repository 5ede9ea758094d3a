import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Field } from '#contract/configuration.ts';
import { readRows, writePair } from './rows.ts';

const FIELD: Field = {
  ...{ path: 'x', kind: 'list', required: false, unless: null, description: '', expected: '' },
  ...{ fallback: null, example: null, pattern: null, choices: [], variable: null },
  ...{ entry: { pattern: '^\\+[0-9]+$', expected: 'a prefix such as "+4915"' }, key: null, names: null },
};
const PRICES: Field = {
  ...FIELD,
  ...{ kind: 'numbers', key: '^(default|[A-Z]{2})$', names: 'country' },
  entry: { pattern: null, expected: 'a number from 0 to 1000' },
};
const pairs = (...all: readonly (readonly [string, string])[]) => all.map(writePair);

test('what is wrong with an entry of a list is told at its row', () => {
  assert.deepEqual(readRows(FIELD, ['+4915', '4916', '']), {
    wrong: [
      { row: 1, detail: 'must be a prefix such as +4915' },
      { row: 2, detail: 'is required' },
    ],
  });
  assert.deepEqual(readRows(FIELD, ['+4915']), { value: ['+4915'] });
});

test('no row is no value, unless one is needed', () => {
  assert.deepEqual(readRows(FIELD, []), { value: undefined });
  assert.deepEqual(readRows({ ...FIELD, required: true }, []), { wrong: [{ detail: 'is required' }] });
});

test('of a pair the name, the value, and a name that stands above are judged', () => {
  assert.deepEqual(readRows(PRICES, pairs(['DE', '0.08'], ['default', '1'])), {
    value: { DE: 0.08, default: 1 },
  });
  const wrong = pairs(['DE', 'dear'], ['Germany', '1'], ['DE', '1'], ['', '1'], ['FR', '']);
  assert.deepEqual(readRows(PRICES, wrong), {
    wrong: [
      { row: 0, detail: 'must be a number from 0 to 1000' },
      { row: 1, detail: 'must be a country' },
      { row: 2, detail: 'is there already' },
      { row: 3, detail: 'is required' },
      { row: 4, detail: 'is required' },
    ],
  });
});
