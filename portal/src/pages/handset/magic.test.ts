import assert from 'node:assert/strict';
import { it } from 'node:test';
import { MAGIC_DESTINATIONS } from '../../../../src/core/verification/magic.ts';
import { MAGIC } from './magic.ts';

it('the page offers all magic numbers of the service', () => {
  assert.deepEqual(
    MAGIC.map(({ destination }) => destination),
    [...MAGIC_DESTINATIONS.keys()],
  );
});
