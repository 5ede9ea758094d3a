import assert from 'node:assert/strict';
import { test } from 'node:test';
import { itemsAfterPaste } from './pasted.ts';

const into = (value: string, from: number, to: number, text: string) =>
  itemsAfterPaste({ value, from, to, text });

test('a list that is pasted has an item for each address, whatever stands between them', () => {
  const addresses = ['192.0.2.1', '198.51.100.0/24', '2001:db8::/32'];
  for (const between of [', ', '\n', '\r\n', ' ', ';', '\t', ',\n\n']) {
    assert.deepEqual(into('', 0, 0, addresses.join(between)), addresses);
  }
});

test('it takes the place of what is selected, and joins what stands around it', () => {
  assert.deepEqual(into('192.0.2.9', 0, 9, '192.0.2.1'), ['192.0.2.1']);
  assert.deepEqual(into('192.0.', 6, 6, '2.1 192.0.2.2'), ['192.0.2.1', '192.0.2.2']);
  assert.deepEqual(into('/24', 0, 0, '192.0.2.1,192.0.2.0'), ['192.0.2.1', '192.0.2.0/24']);
  assert.deepEqual(into('', 0, 0, ' \n'), []);
});
