import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createFitness } from './fitness.ts';

function fitnessOf({
  trouble,
  damaged = false,
  overloaded = false,
}: {
  readonly trouble?: string;
  readonly damaged?: boolean;
  readonly overloaded?: boolean;
}) {
  let checks = 0;
  const fitness = createFitness({
    checkStore: async () => void checks++,
    damage: { met: damaged },
    clock: { trouble },
    load: { isOverloaded: () => overloaded },
  });
  return { ...fitness, checks: () => checks };
}

suite('fitness', () => {
  test('a service without trouble takes requests and is ready', async () => {
    const { findUnfit, readiness, checks } = fitnessOf({});
    assert.equal(findUnfit(), undefined);
    assert.deepEqual(await readiness(), { ready: true, parts: { store: 'ok', clock: 'ok' } });
    assert.equal(checks(), 1);
  });

  test('with too much to do it sheds load, and is ready', async () => {
    const { findUnfit, readiness } = fitnessOf({ overloaded: true });
    assert.equal(findUnfit(), 'overloaded');
    assert.equal((await readiness()).ready, true);
  });

  test('by a clock that is wrong it works not at all', async () => {
    const { findUnfit, readiness } = fitnessOf({ trouble: 'two minutes off', overloaded: true });
    assert.equal(findUnfit(), 'unavailable');
    assert.deepEqual(await readiness(), { ready: false, parts: { store: 'ok', clock: 'two minutes off' } });
  });

  test('over a store that is damaged it is not ready, and the store is not asked', async () => {
    const { findUnfit, readiness, checks } = fitnessOf({ damaged: true });
    assert.equal(findUnfit(), undefined);
    assert.deepEqual(await readiness(), { ready: false, parts: { store: 'damaged' } });
    assert.equal(checks(), 0);
  });
});
