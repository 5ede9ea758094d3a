import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Claimant, createDerivationQueue, type QueuedDerivation } from './derivation-queue.ts';

const somebody = (i: number): Claimant => ({ lane: 'anybody', name: `network ${i}` });
const known = (i: number): Claimant => ({ lane: 'known', name: `person ${i}` });

/** What was asked for, in the order in which it was done. Work goes on when the test lets it. */
function held() {
  const done: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const run = (place: QueuedDerivation | undefined, name: string): Promise<void> | undefined =>
    place?.run(async () => {
      await promise;
      done.push(name);
    });
  return { done, run, release: resolve };
}

test('however many strangers wait, people who have shown something keep their places', () => {
  const places = createDerivationQueue();
  let strangers = 0;
  for (let i = 0; i < 1_000; i++) if (places.take(somebody(i)) !== undefined) strangers += 1;
  assert.ok(strangers < 100);
  const people = Array.from({ length: 10 }, (_, i) => places.take(known(i)));
  assert.ok(people.every((place) => place !== undefined));
});

test('nobody takes more than a few places, and what is given back can be taken again', () => {
  const places = createDerivationQueue();
  for (const claimant of [somebody(1), known(1)]) {
    const taken = Array.from({ length: 50 }, () => places.take(claimant)).filter(
      (each) => each !== undefined,
    );
    assert.equal(taken.length, 4);
    assert.ok(places.take({ ...claimant, name: 'another' }) !== undefined);
    taken[0]?.[Symbol.dispose]();
    assert.ok(places.take(claimant) !== undefined);
    assert.equal(places.take(claimant), undefined);
  }
});

test('turns go from strangers to people and back, one at a time', async () => {
  const places = createDerivationQueue();
  const { done, run, release } = held();
  const all = [0, 1, 2, 3].map((i) => run(places.take(somebody(i)), `stranger ${i}`));
  all.push(...[0, 1].map((i) => run(places.take(known(i)), `person ${i}`)));
  release();
  await Promise.all(all);
  assert.deepEqual(done, ['stranger 0', 'person 0', 'stranger 1', 'person 1', 'stranger 2', 'stranger 3']);
});

test('a failure is for whoever waits for it, and the next work runs', async () => {
  const places = createDerivationQueue();
  const place = places.take(known(1));
  assert.ok(place !== undefined);
  const failing = place.run(async () => {
    throw new Error('no memory');
  });
  const next = place.run(async () => 'done');
  await assert.rejects(failing, /no memory/);
  assert.equal(await next, 'done');
});
