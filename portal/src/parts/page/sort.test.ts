import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Column, pressed, sorted, sortOf } from './sort.ts';

type Row = readonly [name: string, cost: number | null];
const columns: readonly Column<Row>[] = [
  { name: 'Name', by: ([name]) => name },
  { name: 'Cost each', figure: true, by: ([, cost]) => cost },
];
const rows: readonly Row[] = [
  ['b', 2],
  ['a', null],
  ['c', 3],
  ['d', 2],
];
const names = (sort: string | null) =>
  sorted(rows, columns, sortOf(sort, columns))
    .map(([name]) => name)
    .join('');

test('rows are sorted by a column, and those without a value come last', () => {
  assert.equal(names(null), 'bacd');
  assert.equal(names('name'), 'abcd');
  assert.equal(names('-name'), 'dcba');
  assert.equal(names('cost-each'), 'bdca');
  assert.equal(names('-cost-each'), 'cbda');
  assert.equal(names('no-such-column'), 'bacd');
});

test('each press says what the address holds next', () => {
  const press = (name: string, now: string | null) => pressed(name, columns, sortOf(now, columns));
  assert.deepEqual(
    [press('Name', null), press('Name', 'name'), press('Name', '-name')],
    ['name', '-name', null],
  );
  assert.equal(press('Cost each', 'name'), '-cost-each');
  assert.equal(press('Cost each', '-cost-each'), 'cost-each');
});
