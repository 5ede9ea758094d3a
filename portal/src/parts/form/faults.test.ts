import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeFaults, withoutFields, withRowsReplaced } from './faults.ts';

const FAULTS = new Map([
  ['name', { detail: 'is required' }],
  ['sources', { detail: 'are too many' }],
  ['sources.1', { detail: 'must be an address' }],
  ['sources.3', { detail: 'must be a network' }],
]);

test('each fault is shown by its field, and by its list where rows have no fields', () => {
  const errors = new Map([
    ...FAULTS,
    ['countries.2', { detail: 'XX is none' }],
    ['countries.4', { detail: 'YY is none' }],
    ['id', { detail: 'is wrong' }],
  ]);
  const fields = ['name', 'sources', 'sources.1', 'sources.3', 'countries'];
  const { shown, others } = placeFaults(errors, (name) => fields.includes(name));
  assert.deepEqual(shown, new Map([...FAULTS, ['countries', { detail: 'XX is none' }]]));
  assert.deepEqual(others, new Map([['id', { detail: 'is wrong' }]]));
});

test('what is corrected is no fault any more', () => {
  assert.deepEqual([...withoutFields(FAULTS, ['name', 'sources.1']).keys()], ['sources', 'sources.3']);
  assert.equal(withoutFields(FAULTS, ['brand']), FAULTS, 'unchanged');
});

test('when a row is removed, those below keep what is wrong with them, and the list is judged again', () => {
  assert.deepEqual(
    withRowsReplaced(FAULTS, 'sources', 1, 0),
    new Map([
      ['name', { detail: 'is required' }],
      ['sources.2', { detail: 'must be a network' }],
    ]),
  );
  assert.deepEqual([...withRowsReplaced(FAULTS, 'sources', 2, 0).keys()], ['name', 'sources.1', 'sources.2']);
});

test('when rows take the place of one, what was wrong with it is gone, and those below keep theirs', () => {
  assert.deepEqual(
    [...withRowsReplaced(FAULTS, 'sources', 1, 2)],
    [
      ['name', { detail: 'is required' }],
      ['sources.4', { detail: 'must be a network' }],
    ],
  );
  assert.deepEqual([...withRowsReplaced(FAULTS, 'sources', 0, 2).keys()], ['name', 'sources.2', 'sources.4']);
  assert.deepEqual([...withRowsReplaced(FAULTS, 'sources', 3, 1).keys()], ['name', 'sources.1']);
});
