import assert from 'node:assert/strict';
import { test } from 'node:test';
import { itemsAfterPaste, pairsPasted } from './pasted.ts';

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

test('where items have spaces of their own, commas and line breaks stand between them', () => {
  const pasted = { value: '', from: 0, to: 0, text: 'not delivered, expired\r\nno route\n' };
  assert.deepEqual(itemsAfterPaste(pasted, /[,\n]/), ['not delivered', 'expired', 'no route']);
});

test('pairs are pasted as a configuration or a spreadsheet has them', () => {
  assert.deepEqual(pairsPasted(' DE: 0.08\r\n"+49170":0.09,\n\nUnited Kingdom\t0.05\n'), [
    ['DE', '0.08'],
    ['+49170', '0.09'],
    ['United Kingdom', '0.05'],
  ]);
  assert.deepEqual(pairsPasted('x-link: https://example.com/a, b'), [['x-link', 'https://example.com/a, b']]);
  for (const text of ['Germany', '', 'DE:', '\n']) assert.deepEqual(pairsPasted(text), [], text);
});
