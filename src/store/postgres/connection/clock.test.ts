import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { StoreUnavailable } from '../../../core/errors/store-failure.ts';
import { SYSTEM_CLOCK } from '../../../core/seams/clock.ts';
import { parseDatabaseAddress } from '../../../options/database-address.ts';
import { DatabaseClock } from './clock.ts';
import { Database } from './database.ts';

/** How long a question and its answer are on their way, in ms. */
type Trip = readonly [there: number, back: number];

const QUICK: Trip = [1, 1];

/** The clock of a database, which is not asked in fact, on a machine whose times stand still but for the trips. */
async function opened(t: TestContext, trips: readonly Trip[] = []) {
  let steady = 1_000;
  let ahead = 50_000;
  let ways: (Trip | 'away')[] = [...trips];
  t.mock.method(performance, 'now', () => steady);
  t.mock.timers.enable({ apis: ['setInterval', 'Date'], now: 40_000 });
  const parsed = parseDatabaseAddress('postgres://me@localhost/nowhere?sslmode=disable');
  assert.ok(parsed.ok);
  const db = new Database(parsed.address, SYSTEM_CLOCK);
  t.mock.method(db, 'read', async () => {
    const way = ways.shift() ?? QUICK;
    if (way === 'away') throw new StoreUnavailable('away');
    const [there, back] = way;
    steady += there;
    const now = steady + ahead;
    steady += back;
    return [{ now }];
  });
  const clock = await DatabaseClock.open(db, SYSTEM_CLOCK);
  t.after(() => clock.stop());
  return {
    clock,
    /** By how much the database's clock is ahead of steady time, as the clock has it. */
    ahead: () => clock.now() - steady,
    pass: (ms: number) => (steady += ms),
    /** The database's clock is set, and a second later looked at again. */
    async setAndLook(to: number, way: Trip | 'away') {
      ahead = to;
      ways = [way];
      t.mock.timers.tick(1_000);
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

test('of the first answers the quickest is believed, as one of the middle of asking', async (t) => {
  const { ahead } = await opened(t, [
    [0, 400],
    [20, 20],
    [400, 0],
  ]);
  assert.equal(ahead(), 50_000);
});

test('a later answer is believed unless it was slow, and without one it goes on', async (t) => {
  const { ahead, setAndLook, pass } = await opened(t);
  await setAndLook(60_000, [125, 125]);
  assert.equal(ahead(), 60_000);
  await setAndLook(70_000, [0, 251]);
  assert.equal(ahead(), 60_000);
  await setAndLook(70_000, 'away');
  pass(3_600_000);
  assert.equal(ahead(), 60_000);
  await setAndLook(70_000, QUICK);
  assert.equal(ahead(), 70_000);
});

test('however this machine’s clock is set, it shows only in how far that is off', async (t) => {
  const { clock, ahead, pass } = await opened(t);
  pass(5_000);
  const before = clock.offset;
  assert.equal(before, 40_000 - clock.now());
  t.mock.timers.setTime(3_640_000);
  assert.equal(ahead(), 50_000);
  assert.equal(clock.offset, before + 3_600_000);
});
