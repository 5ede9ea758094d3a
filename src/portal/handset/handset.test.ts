/** How many watch, and how slowly; what they see is in test/portal/handset.test.ts. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { SYSTEM_CLOCK } from '../../core/seams/clock.ts';
import type { InboxEntry } from '../../core/verification/reading/inbox.ts';
import { Handsets } from './handset.ts';

function openHandsets(t: TestContext, text = '', messages = 0) {
  const entries = Array.from(
    { length: messages },
    (_, i): InboxEntry => ({
      ...{
        id: `ver_${i}`,
        keyId: 'key_1',
        accountId: 'acc_1',
        test: true,
        channel: 'sms',
        country: 'DE',
        settings: null,
      },
      ...{
        destinationSealed: '',
        codeSealed: '',
        detailsSealed: null,
        createdAt: i,
        expiresAt: 1_000,
        at: i,
      },
    }),
  );
  const handsets = new Handsets({
    clock: SYSTEM_CLOCK,
    inbox: { list: async () => entries },
    open: ({ id, accountId, test: isTest, channel, country, expiresAt }) => ({
      ...{ id, accountId, test: isTest, channel, expiresAt, text, code: '123456', locale: 'en' },
      destination: { address: '+4915112345678', kind: 'e164', country },
    }),
    onError: (error) => assert.fail(String(error)),
  });
  const watch = (accountId = 'acc_1') => {
    const stream = handsets.stream(accountId, 'whole', undefined);
    t.after(() => stream?.destroy());
    return stream;
  };
  return watch;
}

test('there are at most 500 streams, whoever watches; one that ends makes room', async (t) => {
  const watch = openHandsets(t);
  const streams = Array.from({ length: 500 }, (_, i) => watch(`acc_${i % 25}`));
  assert.ok(streams.every((stream) => stream !== undefined));
  for (const stream of streams.slice(0, 3)) {
    assert.equal(watch('acc_more'), undefined);
    assert.ok(stream);
    await once(stream.destroy(), 'close');
    assert.ok(watch('acc_more'));
  }
  assert.equal(watch('acc_more'), undefined);
});

test('a client that does not read is cut off, and fills no memory', async (t) => {
  const watch = openHandsets(t, 'x'.repeat(20_000), 20);
  const stream = watch();
  assert.ok(stream);
  await once(stream, 'close', { signal: AbortSignal.timeout(10_000) });
  assert.ok(stream.readableLength < 300_000, String(stream.readableLength));
});
