/** How each node sees its carriers, for other nodes and commands. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { CarrierState } from '../../../../src/core/sending/carrier-state.ts';
import { MINUTE, type OpenStore, openFor, SECOND } from '../rig.ts';

const NOW = Date.UTC(2026, 10, 20);

function state(wanted: Partial<CarrierState> = {}): CarrierState {
  return {
    node: 'n1',
    carrier: 'smsc',
    breaker: 'closed',
    lastError: null,
    unusable: {},
    at: NOW,
    ...wanted,
  };
}

export function describeCarrierStates(open: OpenStore): void {
  suite('carrier states', () => {
    test('the latest state of each node and carrier is returned', async (t) => {
      const { store } = await openFor(t, open);
      assert.deepEqual(await store.carrierStates(NOW), []);
      const lastError = { reason: 'throttled', at: NOW - SECOND };
      await store.noteCarrierStates([state(), state({ carrier: 'gateway' })]);
      await store.noteCarrierStates([state({ node: 'n2', breaker: 'open', lastError })]);
      await store.noteCarrierStates([state({ breaker: 'half-open', lastError, at: NOW + SECOND })]);
      await store.noteCarrierStates([]);
      assert.deepEqual(await store.carrierStates(NOW + SECOND), [
        state({ carrier: 'gateway' }),
        state({ breaker: 'half-open', lastError, at: NOW + SECOND }),
        state({ node: 'n2', breaker: 'open', lastError }),
      ]);
    });

    test('an older state does not replace a newer one', async (t) => {
      const { store } = await openFor(t, open);
      await store.noteCarrierStates([state({ breaker: 'open' })]);
      await store.noteCarrierStates([state({ at: NOW - SECOND })]);
      assert.deepEqual(await store.carrierStates(NOW), [state({ breaker: 'open' })]);
    });

    test('an error that is over can be taken back', async (t) => {
      const { store } = await openFor(t, open);
      await store.noteCarrierStates([state({ lastError: { reason: 'throttled', at: NOW } })]);
      await store.noteCarrierStates([state()]);
      assert.deepEqual(await store.carrierStates(NOW), [state()]);
    });

    test('receipts of no use are returned as they were counted last', async (t) => {
      const { store } = await openFor(t, open);
      await store.noteCarrierStates([state({ unusable: { unmatched: 3, forged: 1 } })]);
      assert.deepEqual(await store.carrierStates(NOW), [state({ unusable: { unmatched: 3, forged: 1 } })]);
      await store.noteCarrierStates([state()]);
      assert.deepEqual(await store.carrierStates(NOW), [state()]);
    });

    test('a node that has gone silent is forgotten', async (t) => {
      const opened = await openFor(t, open);
      await opened.store.noteCarrierStates([state()]);
      const store = await opened.reopen();
      assert.deepEqual(await store.carrierStates(NOW + 5 * MINUTE - 1), [state()]);
      assert.deepEqual(await store.carrierStates(NOW + 5 * MINUTE), []);
      await store.purge(NOW + 5 * MINUTE);
      assert.deepEqual(await store.carrierStates(NOW), []);
    });
  });
}
