import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readEndpointUrl } from '../../../src/core/events/endpoint-url.ts';
import { plainWords } from './words.ts';

test('an address that the operator does not allow is refused without the name of an option', () => {
  const read = readEndpointUrl('https://127.0.0.1/', []);
  assert.ok(!read.ok);
  assert.equal(
    plainWords(read.detail),
    'must be on the public Internet, or in one of the private networks that the operator allows',
  );
});
