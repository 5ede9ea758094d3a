import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { StoreUnavailable } from '../../core/errors/store-failure.ts';
import type { ServerNote } from '../../core/sql/database.ts';
import { createTestLog } from '../fixture.ts';
import { createServiceReadiness } from './service-readiness.ts';

function fitnessOf({
  trouble,
  damaged = false,
  overloaded = false,
  failure,
  servers = [],
}: {
  readonly trouble?: string;
  readonly damaged?: boolean;
  readonly overloaded?: boolean;
  readonly failure?: Error;
  readonly servers?: readonly ServerNote[];
}) {
  let checks = 0;
  const log: Record<string, unknown>[] = [];
  const readiness = createServiceReadiness({
    checkStore: async () => {
      checks++;
      if (failure !== undefined) throw failure;
    },
    servers: () => servers,
    log: createTestLog(log),
    damage: { met: damaged },
    clock: { trouble },
    load: { isOverloaded: () => overloaded },
  });
  return { ...readiness, checks: () => checks, log };
}

suite('the readiness of the service', () => {
  test('a service without trouble takes requests and is ready', async () => {
    const { findNotReady, readiness, checks } = fitnessOf({});
    assert.equal(findNotReady(), undefined);
    assert.deepEqual(await readiness(), { ready: true, parts: { store: 'ok', clock: 'ok' } });
    assert.equal(checks(), 1);
  });

  test('with too much to do it sheds load, and is ready', async () => {
    const { findNotReady, readiness } = fitnessOf({ overloaded: true });
    assert.equal(findNotReady(), 'overloaded');
    assert.equal((await readiness()).ready, true);
  });

  test('by a clock that is wrong it works not at all', async () => {
    const { findNotReady, readiness } = fitnessOf({ trouble: 'two minutes off', overloaded: true });
    assert.equal(findNotReady(), 'unavailable');
    assert.deepEqual(await readiness(), { ready: false, parts: { store: 'ok', clock: 'two minutes off' } });
  });

  test('over a store that does not commit it is not ready, and says which servers are not used and why', async () => {
    const { readiness, log } = fitnessOf({
      failure: new StoreUnavailable('no server can be used'),
      servers: [
        { server: 'db1:5432', state: 'left-behind' },
        { server: 'db2:5432', state: 'unreachable' },
        { server: 'db3:5432', state: 'used' },
      ],
    });
    assert.deepEqual(await readiness(), {
      ready: false,
      parts: {
        store: 'unavailable',
        clock: 'ok',
        'server db1:5432': 'was left behind by a promotion',
        'server db2:5432': 'cannot be used',
      },
    });
    assert.equal(Object(log[0]?.error).message, 'no server can be used');
    await assert.rejects(fitnessOf({ failure: new Error('a bug') }).readiness(), /a bug/);
  });

  test('over a store that is damaged it is not ready, and the store is not asked', async () => {
    const { findNotReady, readiness, checks } = fitnessOf({ damaged: true });
    assert.equal(findNotReady(), undefined);
    assert.deepEqual(await readiness(), { ready: false, parts: { store: 'damaged' } });
    assert.equal(checks(), 0);
  });
});
