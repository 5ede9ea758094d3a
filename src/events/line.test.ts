import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DueMessage } from '../core/events/event.ts';
import { Line } from './line.ts';

const messageOf = (seq: number, verificationId: string | null): DueMessage => ({
  ...{ seq, id: `msg_${seq}`, type: 'verification.requested', verificationId, carrier: null, reason: null },
  ...{ channel: null, at: 0, tries: 0, isErased: false },
});

test('messages about one verification go one after another, and hold up no others', () => {
  const line = new Line();
  line.add([messageOf(1, 'a'), messageOf(2, 'a'), messageOf(3, 'b'), messageOf(4, null), messageOf(5, null)]);
  const [first, other, free, freeToo] = [line.take(), line.take(), line.take(), line.take()];
  assert.deepEqual(
    [first, other, free, freeToo].map((message) => message?.seq),
    [1, 3, 4, 5],
  );
  assert.equal(line.take(), undefined);
  assert.ok(first !== undefined);
  line.back(first);
  assert.equal(line.take()?.seq, 2);
  assert.equal(line.underWay, 4);
});

test('a message is held until it is settled, and comes in once', () => {
  const line = new Line();
  line.add([messageOf(1, 'a'), messageOf(2, 'b')]);
  line.add([messageOf(1, 'a')]);
  const message = line.take();
  assert.ok(message !== undefined);
  line.back(message);
  assert.deepEqual(line.held, [1, 2]);
  line.settled(1);
  line.forget();
  assert.deepEqual([line.held, line.waiting], [[], 0]);
});
