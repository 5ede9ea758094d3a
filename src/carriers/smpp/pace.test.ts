import assert from 'node:assert/strict';
import { it } from 'node:test';
import { SubmitPace } from './pace.ts';

/** Submits as fast as the pace allows; returns how many went from `from` to `to` (ms). */
function submitAll(pace: SubmitPace, from: number, to: number, mostPerMs: number): number {
  let count = 0;
  for (let now = from; now < to; now += 1) {
    for (let sent = 0; sent < mostPerMs && pace.wait(now) === 0; sent += 1) {
      pace.take(now);
      count += 1;
    }
  }
  return count;
}

it('is free until told to slow down', () => {
  const pace = new SubmitPace();
  assert.equal(submitAll(pace, 10_000, 11_000, 5), 5_000);
});

it('goes on at half the refused rate, gets back to it in ten seconds, and is free after a minute', () => {
  const pace = new SubmitPace();
  submitAll(pace, 10_000, 12_000, 1);
  pace.slow(12_000);
  assert.equal(Math.round(pace.rate(12_000)), 500);
  assert.equal(Math.round(pace.rate(22_000)), 1_000);
  assert.equal(pace.rate(72_000), Number.POSITIVE_INFINITY);
  const count = submitAll(pace, 12_000, 13_000, 10);
  assert.ok(count > 450 && count < 550, `${count}`);
});

it('takes refusals of one burst for one, and of the next for another', () => {
  const pace = new SubmitPace();
  submitAll(pace, 10_000, 12_000, 1);
  for (let refusals = 0; refusals < 100; refusals += 1) pace.slow(12_000 + refusals);
  assert.equal(Math.round(pace.rate(12_000)), 500);
  pace.slow(13_000);
  assert.equal(Math.round(pace.rate(13_000)), 275);
});

it('never stops altogether', () => {
  const pace = new SubmitPace();
  for (let now = 10_000; now < 100_000; now += 1_000) pace.slow(now);
  assert.ok(pace.rate(99_000) >= 1);
  assert.ok(pace.wait(100_000) <= 1_000);
});
