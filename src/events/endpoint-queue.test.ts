import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DueMessage } from '../core/events/event.ts';
import { EndpointQueue } from './endpoint-queue.ts';

const messageOf = (seq: number, verificationId: string | null): DueMessage => ({
  ...{ seq, id: `msg_${seq}`, type: 'verification.requested', verificationId, carrier: null, reason: null },
  ...{ channel: null, at: 0, tries: 0, isErased: false },
});

test('messages about one verification go one after another, and hold up no others', () => {
  const pending = new EndpointQueue();
  pending.add([
    messageOf(1, 'a'),
    messageOf(2, 'a'),
    messageOf(3, 'b'),
    messageOf(4, null),
    messageOf(5, null),
  ]);
  const [first, other, free, freeToo] = [pending.take(), pending.take(), pending.take(), pending.take()];
  assert.deepEqual(
    [first, other, free, freeToo].map((message) => message?.seq),
    [1, 3, 4, 5],
  );
  assert.equal(pending.take(), undefined);
  assert.ok(first !== undefined);
  pending.back(first);
  assert.equal(pending.take()?.seq, 2);
  assert.equal(pending.underWay, 4);
});

test('a message is held until it is settled, and comes in once', () => {
  const pending = new EndpointQueue();
  pending.add([messageOf(1, 'a'), messageOf(2, 'b')]);
  pending.add([messageOf(1, 'a')]);
  const message = pending.take();
  assert.ok(message !== undefined);
  pending.back(message);
  assert.deepEqual(pending.held, [1, 2]);
  pending.settled(1);
  pending.forget();
  assert.deepEqual([pending.held, pending.waiting], [[], 0]);
});
