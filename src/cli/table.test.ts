import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatTable } from './table.ts';

test('columns are aligned, nothing trails, null is a dash', () => {
  const table = formatTable([
    { id: 'key_1', name: 'a', test: true },
    { id: 'k', name: null, test: false },
  ]);
  assert.equal(table, 'ID     NAME  TEST\nkey_1  a     true\nk      -     false');
});

test('control characters do not reach the terminal', () => {
  assert.equal(formatTable([{ name: 'a\u001b[31mb\n' }]), 'NAME\na?[31mb?');
});
