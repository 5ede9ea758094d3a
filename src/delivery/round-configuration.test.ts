/** A reload while a message waits for its place. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SYSTEM_CLOCK } from '../core/seams/clock.ts';
import { DailyCap } from '../core/sending/daily-cap.ts';
import { emptyQueue, messageWith, NO_FUNDS, settled, startDispatcher } from './fixture.ts';

test('a round goes to its end by what was in effect when it began', async (t) => {
  const done: string[] = [];
  const place = Promise.withResolvers<number>();
  const quota = { takeQuota: () => place.promise, returnQuota: async () => {} };
  const cap = new DailyCap(quota, 'voice', 2, SYSTEM_CLOCK);
  let name = 'the first';
  const { dispatcher } = startDispatcher([], {
    queue: emptyQueue({}),
    inEffect: (first) => {
      const named = name;
      return {
        ...first,
        capOf: () => cap,
        choose: () => {
          done.push(`chosen by ${named}`);
          return [];
        },
        entered: () => done.push(`entered ${named}`),
        left: () => done.push(`left ${named}`),
      };
    },
  });
  t.after(() => dispatcher.stop(0));
  const onward = messageWith({ channel: 'voice', fallback: { leg: 1, from: 'sms' } });
  dispatcher.accept(onward, Date.now(), performance.now(), NO_FUNDS);
  name = 'the second';
  place.resolve(1);
  await settled();
  assert.deepEqual(done, ['entered the first', 'chosen by the first', 'left the first']);
});
