import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { pino } from 'pino';
import { StoreUnavailable } from '../core/errors/store-failure.ts';
import { MAX_OFFSET_MS } from '../core/seams/clock.ts';
import { createManualClock } from '../core/seams/clock-fixture.ts';
import { watchClock } from './watch-clock.ts';

const LEASE = 15_000;

function watched(t: TestContext, clockOffset = 0) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const manual = createManualClock();
  let drifted = 0;
  const clock = {
    ...manual,
    steady: () => manual.steady() + drifted,
    drift: (ms: number) => (drifted += ms),
  };
  const clamped: number[] = [];
  const lines: string[] = [];
  let isAway = false;
  let newest: number | null = null;
  const store = {
    clock,
    clockOffset,
    async newestBefore(at: number) {
      if (isAway) throw new StoreUnavailable('away');
      return newest !== null && newest <= at ? newest : null;
    },
    async clampFutureTimes(now: number) {
      if (isAway) throw new StoreUnavailable('away');
      clamped.push(now);
      return 1;
    },
  };
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line).msg) });
  const offsets: number[] = [];
  const watch = watchClock({ store, lease: LEASE, see: (offset) => void offsets.push(offset), log });
  t.after(() => watch[Symbol.dispose]());
  const look = async (ms = 1_000) => {
    clock.pass(ms);
    t.mock.timers.tick(ms);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    ...{ clock, store, watch, offsets, clamped, lines, look },
    away: (yes: boolean) => (isAway = yes),
    holds: (at: number) => (newest = at),
  };
}

test('what a process before left is put right at the start, and then nothing while the clock goes on', async (t) => {
  const { clock, clamped, look } = watched(t);
  await look(0);
  assert.deepEqual(clamped, [clock.now()]);
  for (let i = 0; i < 5; i++) await look();
  clock.step(3_600_000);
  await look();
  assert.equal(clamped.length, 1, 'ahead, nothing is dated after now');
});

test('a clock that is set back has its times put right, once the store can be reached', async (t) => {
  const { clock, clamped, lines, look, away } = watched(t);
  await look(0);
  clock.step(86_400_000);
  await look();
  clock.step(-86_400_000);
  away(true);
  await look();
  assert.equal(clamped.length, 1);
  away(false);
  await look();
  assert.deepEqual(clamped[1], clock.now());
  await look();
  assert.equal(clamped.length, 2);
  assert.ok(lines.includes('the clock was set') && lines.includes('times not corrected yet'));
});

test('a clock that was ahead only between two looks has its times put right, if somebody was told them', async (t) => {
  const { clock, watch, clamped, look } = watched(t);
  await look(0);
  clock.step(86_400_000);
  watch.clock.now();
  clock.step(-86_400_000);
  await look();
  assert.equal(clamped.length, 2);
  clock.step(86_400_000);
  clock.step(-86_400_000);
  await look();
  assert.equal(clamped.length, 2, 'nobody was told');
});

test('what was under way when the clock was set back is put right a minute later, once', async (t) => {
  const { clock, clamped, look } = watched(t);
  await look(0);
  clock.step(86_400_000);
  await look();
  clock.step(-86_400_000);
  await look();
  assert.equal(clamped.length, 2);
  for (let i = 0; i < 59; i++) await look();
  assert.equal(clamped.length, 2);
  for (let i = 0; i < 120; i++) await look();
  assert.equal(clamped.length, 3);
});

const [HOUR, DAY] = [3_600_000, 86_400_000];

test('a clock that is set forward makes nothing older for an hour, and then all', async (t) => {
  const { clock, watch, look } = watched(t);
  await look(0);
  const before = clock.now();
  assert.equal(await watch.aged(), before);
  clock.step(40 * DAY);
  assert.equal(await watch.aged(), before, 'also before anybody has looked');
  await look();
  assert.equal(await watch.aged(), before + 1_000, 'time goes on');
  clock.step(2 * DAY);
  await look(HOUR - 2_000);
  assert.equal(await watch.aged(), before + HOUR - 1_000);
  await look(2_000);
  assert.equal(await watch.aged(), before + 40 * DAY + HOUR + 1_000, 'each step counts after its own hour');
  await look(HOUR);
  assert.equal(await watch.aged(), clock.now());
});

test('a clock that is set back soon has made nothing older', async (t) => {
  const { clock, watch, look } = watched(t);
  await look(0);
  clock.step(40 * DAY);
  await look();
  clock.step(-39 * DAY);
  await look();
  assert.equal(await watch.aged(), clock.now() - DAY);
  clock.step(-2 * DAY);
  await look();
  assert.equal(await watch.aged(), clock.now());
});

test('nothing is older than by the newest of the store for an hour after a start', async (t) => {
  const { clock, watch, look, holds, away } = watched(t);
  const newest = clock.now() - 40 * DAY;
  holds(newest);
  away(true);
  await assert.rejects(watch.aged(), StoreUnavailable);
  away(false);
  assert.equal(await watch.aged(), newest);
  await look(HOUR - 1);
  assert.equal(await watch.aged(), newest + HOUR - 1);
  await look(1);
  assert.equal(await watch.aged(), clock.now());
});

test('what is old is told in whole ms, though steady time is not', async (t) => {
  const { clock, watch, look, holds } = watched(t);
  holds(clock.now() - 40 * DAY);
  clock.drift(0.3);
  await look();
  clock.step(DAY);
  clock.drift(0.4);
  assert.ok(Number.isInteger(await watch.aged()));
  await look();
  assert.ok(Number.isInteger(await watch.aged()));
});

test('what came in the last hour by the clock of a process before is not sure', async (t) => {
  const { clock, watch, holds } = watched(t);
  holds(clock.now() - HOUR + 1);
  assert.equal(await watch.aged(), clock.now(), 'nothing else can be lost');
});

test('what is older than an hour is', async (t) => {
  const { clock, watch, holds } = watched(t);
  holds(clock.now() - HOUR);
  assert.equal(await watch.aged(), clock.now() - HOUR);
});

test('a machine whose clock is off the store’s by more than the bound is in trouble until it is right', async (t) => {
  const { store, watch, offsets, lines, look } = watched(t);
  for (const [offset, words] of [
    [MAX_OFFSET_MS + 1_000, /^61 s ahead of the database/],
    [-MAX_OFFSET_MS - 1_000, /^61 s behind the database/],
  ] as const) {
    store.clockOffset = offset;
    await look();
    assert.match(watch.trouble ?? '', words);
    assert.equal(offsets.at(-1), offset);
    store.clockOffset = 30_000;
    await look();
    assert.equal(watch.trouble, undefined);
  }
  assert.equal(lines.filter((line) => line.startsWith('no request is served')).length, 2);
});

test('a machine whose clock is off at the start is in trouble before anything is served', (t) => {
  assert.match(watched(t, MAX_OFFSET_MS + 1_000).watch.trouble ?? '', /^61 s ahead/);
});
