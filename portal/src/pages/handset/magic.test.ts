import assert from 'node:assert/strict';
import { it } from 'node:test';
import { MAGIC_DESTINATIONS } from '../../../../src/core/magic.ts';
import { MAGIC } from './magic.ts';

it('the page offers the numbers that the service plays, all of them', () => {
  assert.deepEqual(
    MAGIC.map(({ destination }) => destination),
    [...MAGIC_DESTINATIONS.keys()],
  );
});
