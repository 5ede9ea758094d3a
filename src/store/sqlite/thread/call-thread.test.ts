import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { LAX } from '../../../../test/store/contract/rig.ts';
import { OutcomeUnknown, StoreUnavailable } from '../../../core/errors/store-failure.ts';
import { openSqliteStore } from '../store.ts';

test('what the thread has when it ends may be done, and what comes later is not', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'countersign-thread-'));
  t.after(() => rm(dataDir, { recursive: true }));
  const store = await openSqliteStore({ dataDir, exclusive: true, ...LAX });
  t.after(() => store.close());
  // Ends the thread instead of giving it the call: as far as the event loop knows, it had it.
  const post = t.mock.method(Worker.prototype, 'postMessage', function (this: Worker) {
    void this.terminate();
  });
  await assert.rejects(store.check(), OutcomeUnknown);
  assert.equal(post.mock.callCount(), 1);
  await assert.rejects(store.check(), StoreUnavailable);
});

test('calls that come while a batch is under way are the next one, and none is too large', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'countersign-thread-'));
  t.after(() => rm(dataDir, { recursive: true }));
  const store = await openSqliteStore({ dataDir, exclusive: true, ...LAX });
  t.after(() => store.close());
  const post = t.mock.method(Worker.prototype, 'postMessage');
  await Promise.all(Array.from({ length: 600 }, () => store.check()));
  const sizes = post.mock.calls.map(({ arguments: [text] }) => JSON.parse(String(text)).length);
  assert.deepEqual(sizes, [32, 500, 68]);
});

test('a store that closes answers what was called before, whatever is under way', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'countersign-thread-'));
  t.after(() => rm(dataDir, { recursive: true }));
  const store = await openSqliteStore({ dataDir, exclusive: true, ...LAX });
  const asked = Array.from({ length: 600 }, () => store.check());
  await store.close();
  assert.equal((await Promise.all(asked)).length, 600);
});
