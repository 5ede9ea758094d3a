import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeFaults, withoutFields, withoutRow } from './faults.ts';

const FAULTS = new Map([
  ['name', 'is required'],
  ['sources', 'are too many'],
  ['sources.1', 'must be an address'],
  ['sources.3', 'must be a network'],
]);

test('each fault is shown by its field, and by its list where rows have no fields', () => {
  const errors = new Map([
    ...FAULTS,
    ['countries.2', 'XX is none'],
    ['countries.4', 'YY is none'],
    ['id', 'is wrong'],
  ]);
  const fields = ['name', 'sources', 'sources.1', 'sources.3', 'countries'];
  const { shown, others } = placeFaults(errors, (name) => fields.includes(name));
  assert.deepEqual(shown, new Map([...FAULTS, ['countries', 'XX is none']]));
  assert.deepEqual(others, new Map([['id', 'is wrong']]));
});

test('what is corrected is no fault any more', () => {
  assert.deepEqual([...withoutFields(FAULTS, ['name', 'sources.1']).keys()], ['sources', 'sources.3']);
  assert.equal(withoutFields(FAULTS, ['brand']), FAULTS, 'unchanged');
});

test('when a row is removed, those below keep what is wrong with them, and the list is judged again', () => {
  assert.deepEqual(
    withoutRow(FAULTS, 'sources', 1),
    new Map([
      ['name', 'is required'],
      ['sources.2', 'must be a network'],
    ]),
  );
  assert.deepEqual([...withoutRow(FAULTS, 'sources', 2).keys()], ['name', 'sources.1', 'sources.2']);
});
