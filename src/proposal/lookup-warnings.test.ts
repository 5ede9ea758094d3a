import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadText } from '../config/fixture.ts';
import { warnOfOptions } from './warnings.ts';

const READ = { path: 'a' };

function warned(more: object): string[] {
  const one = { type: 'http', url: 'https://h/{{to}}', price: 0, ...more };
  const found = warnOfOptions(loadText(JSON.stringify({ lookups: { one } })));
  return found.filter(({ key }) => key.startsWith('lookups')).map(({ key, detail }) => `${key}: ${detail}`);
}

test('what is read without its hours or its day in the request is told, with what that refuses', () => {
  const [swapped, ported, recycled, ...more] = warned({ swapped: READ, ported: READ, recycled: READ });
  assert.match(
    swapped ?? '',
    /^lookups\.one\.swapped: nothing holds \{\{hours\}\}.* or read when it was with swappedAt$/,
  );
  assert.match(ported ?? '', /^lookups\.one\.ported: nothing holds \{\{portedHours\}\}.* with portedAt$/);
  assert.match(
    recycled ?? '',
    /^lookups\.one\.recycled: nothing holds \{\{since\}\}.* to url, headers or json$/,
  );
  assert.deepEqual(more, []);
});

test('nothing is told of what is in the request, wherever it is, nor of what is read from a time', () => {
  const all = { swapped: READ, ported: READ, recycled: READ };
  const placed = {
    url: 'https://h/{{to}}?h={{ hours }}',
    headers: { x: '{{since}}' },
    json: ['{{portedHours}}'],
  };
  assert.deepEqual(warned({ ...all, ...placed, method: 'POST' }), []);
  assert.deepEqual(warned({ swappedAt: 'a', portedAt: 'b', lineType: READ }), []);
});
