import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SYSTEM_CLOCK } from '../../core/seams/clock.ts';
import { fetchBounded } from './bounded-fetch.ts';

const KIB = 1024;

test('an answer is read up to 256 KiB, and no further', async (t) => {
  let size = 256 * KIB;
  let read = 0;
  t.mock.method(globalThis, 'fetch', async () => {
    let left = size;
    const body = new ReadableStream({
      pull(controller) {
        if (left === 0) return controller.close();
        const chunk = Math.min(left, KIB);
        left -= chunk;
        read += chunk;
        controller.enqueue(new Uint8Array(chunk));
      },
    });
    return new Response(body);
  });
  const ask = async () =>
    (
      await fetchBounded(SYSTEM_CLOCK, 'https://sso.example.com', { method: 'GET', headers: {} })
    ).arrayBuffer();
  assert.equal((await ask()).byteLength, size);
  size = 1_024 * KIB;
  read = 0;
  await assert.rejects(ask(), { code: 'TOO_LARGE' });
  assert.ok(read < 260 * KIB, `${read} bytes`);
});
