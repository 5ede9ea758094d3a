import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CarrierState } from '../core/sending/carrier-state.ts';
import { createIsElsewhere } from './elsewhere.ts';

const state = (node: string, carrier: string): CarrierState => ({
  ...{ node, carrier, breaker: 'closed', lastError: null, at: 0 },
});

function rig({ isShared = true } = {}) {
  const world = { steady: 0, asked: 0, states: [state('a', 'mine'), state('b', 'theirs')], isDown: false };
  const store = {
    isShared,
    clock: { now: () => 0 },
    noteCarrierStates: async () => {},
    async carrierStates() {
      world.asked += 1;
      if (world.isDown) throw new Error('down');
      return world.states;
    },
  };
  const isElsewhere = createIsElsewhere(store, 'a', { steady: () => world.steady });
  return { world, isElsewhere };
}

test('a carrier is elsewhere if another node has it, whether or not this one has', async () => {
  const { world, isElsewhere } = rig();
  assert.equal(await isElsewhere('theirs'), true);
  assert.equal(await isElsewhere('mine'), false);
  assert.equal(await isElsewhere('constructor'), false);
  world.states = [state('b', 'mine')];
  world.steady = 1_000;
  assert.equal(await isElsewhere('mine'), true);
});

test('the store is asked once a second, whatever names are made up', async () => {
  const { world, isElsewhere } = rig();
  await Promise.all(['a', 'b', 'c'].map(isElsewhere));
  world.steady = 999;
  await isElsewhere('d');
  assert.equal(world.asked, 1);
  world.steady = 1_000;
  await isElsewhere('e');
  assert.equal(world.asked, 2);
});

test('while the store cannot say, nobody is told that there is none, and it is asked again', async () => {
  const { world, isElsewhere } = rig();
  world.isDown = true;
  await assert.rejects(isElsewhere('theirs'), /down/);
  world.isDown = false;
  world.steady = 1_000;
  assert.equal(await isElsewhere('theirs'), true);
});

test('a store that is not shared has no other nodes: what it remembers is of this one before its restart', async () => {
  const { world, isElsewhere } = rig({ isShared: false });
  assert.equal(await isElsewhere('theirs'), false);
  assert.equal(world.asked, 0);
});
