import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createKeys } from '../../../../src/accounts/keys.ts';
import { StoreUnavailable } from '../../../../src/core/errors/store-failure.ts';
import { guessAt, newVerification, type OpenStore, openFor, tally } from '../rig.ts';

export function describeClosing(open: OpenStore): void {
  suite('closing', () => {
    test('calls under way finish first, and are durable', async (t) => {
      const opened = await openFor(t, open);
      const verifications = Array.from({ length: 1_500 }, () => newVerification());
      const issued = Promise.all(verifications.map((v) => opened.store.issue(v)));
      await opened.store.close();
      assert.deepEqual(tally(await issued), { issued: verifications.length });
      const again = await opened.reopen();
      const confirmed = verifications.map((v) => again.confirm(guessAt(v, 'right')));
      assert.deepEqual(tally(await Promise.all(confirmed)), { confirmed: verifications.length });
    });

    test('later calls fail because the store is unavailable', async (t) => {
      const { store } = await openFor(t, open);
      await store.close();
      for (const call of [
        () => store.issue(newVerification()),
        () => store.confirm(guessAt(newVerification(), 'right')),
        () => store.claim(0, 0, 1),
        () => store.takeRequest('key', 0),
        () => store.depth(),
        () => store.check(),
        () => store.purge(Date.now()),
        () => store.tally({ from: 0, to: 1, by: [] }),
        () => store.takeQuota('smsc', 0, 1, 1),
      ]) {
        await assert.rejects(call, StoreUnavailable);
      }
    });

    test('calls while it closes are answered or refused, and never left hanging', async (t) => {
      const { store } = await openFor(t, open);
      const closed = store.close();
      const calls: Promise<PromiseSettledResult<number>[]>[] = [];
      for (let i = 0; i < 50; i++) {
        calls.push(Promise.allSettled([store.depth()]));
        await new Promise((resolve) => setImmediate(resolve));
      }
      await closed;
      for (const call of (await Promise.all(calls)).flat()) {
        if (call.status === 'rejected') assert.ok(call.reason instanceof StoreUnavailable);
      }
    });

    test('a second time changes nothing', async (t) => {
      const { store } = await openFor(t, open);
      await Promise.all([store.close(), store.close()]);
      await store.close();
    });

    test('pending counts what is not answered yet', async (t) => {
      const { store } = await openFor(t, open);
      assert.equal(store.pending, 0);
      const calls = Array.from({ length: 20 }, () => store.depth());
      assert.equal(store.pending, 20);
      await Promise.all(calls);
      assert.equal(store.pending, 0);
    });

    test('a check leaves nothing behind, and can be repeated', async (t) => {
      const { store } = await openFor(t, open);
      await Promise.all([store.check(), store.check()]);
      await store.check();
      assert.deepEqual(await createKeys(store).listKeys(), []);
      assert.equal(await store.depth(), 0);
    });
  });
}
