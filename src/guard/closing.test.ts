import assert from 'node:assert/strict';
import { test } from 'node:test';
import { close, coolDown } from './closing.ts';
import { Place } from './memory/place.ts';

test('a place that burns again after it was opened needs more confirmations to open', () => {
  const place = new Place();
  const confirmationsToOpen = () => {
    close(place, 0);
    let count = 1;
    while (!coolDown(place)) count += 1;
    return count;
  };
  const first = confirmationsToOpen();
  const second = confirmationsToOpen();
  assert.ok(second > first, `${first}, and then ${second}`);
});
