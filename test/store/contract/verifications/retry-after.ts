/** How long who is refused by a limit has to wait. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Store } from '../../../../src/store/port.ts';
import {
  issueOne,
  newVerification,
  type OpenedStore,
  type OpenStore,
  SECOND,
  unique,
  withLimits,
} from '../rig.ts';

const REQUESTS = { max: 3, windowMs: 10 * SECOND };
const SENDS = { max: 2, windowMs: 5 * SECOND };

export function describeRetryAfter(open: OpenStore): void {
  suite('who is refused by a limit', () => {
    let opened: OpenedStore;
    let store: Store;

    before(async () => {
      opened = await open(withLimits({ requestsPerKey: [REQUESTS], sendsPerDestination: [SENDS] }));
      store = opened.store;
    });
    after(() => opened.dispose());

    for (const scope of ['destination', 'key'] as const) {
      test(`per ${scope}: retryAfterMs is to the ms`, async () => {
        const shared = scope === 'key' ? { keyId: unique('key') } : { destinationHash: unique('hash') };
        const issueAt = (createdAt: number) => store.issue(newVerification({ ...shared, createdAt }));
        const start = Date.now();
        const { max } = scope === 'key' ? REQUESTS : SENDS;
        for (let i = 0; i < max; i++) assert.equal((await issueAt(start + 10 * i)).kind, 'issued');
        const refused = await issueAt(start + 100);
        assert.ok(refused.kind === 'limited' && refused.scope === scope);
        const free = start + 100 + refused.retryAfterMs;
        const again = await issueAt(free - 1);
        assert.deepEqual(again, { ...refused, retryAfterMs: 1 });
        assert.equal((await issueAt(free)).kind, 'issued');
      });

      test(`per ${scope}: nobody waits longer than the window, although what counts bears a later time`, async () => {
        const shared = scope === 'key' ? { keyId: unique('key') } : { destinationHash: unique('hash') };
        const [now, places] = [Date.now(), scope === 'key' ? REQUESTS.max : SENDS.max];
        for (let i = 0; i < places; i++) await issueOne(store, { ...shared, createdAt: now + 3 });
        const refused = await store.issue(newVerification({ ...shared, createdAt: now }));
        assert.ok(refused.kind === 'limited' && refused.scope === scope);
        assert.equal(refused.retryAfterMs, refused.limit.windowMs);
        if (scope === 'destination') return;
        assert.deepEqual(await store.takeRequest(String(shared.keyId), now), {
          limit: refused.limit,
          retryAfterMs: refused.limit.windowMs,
        });
      });
    }
  });
}
