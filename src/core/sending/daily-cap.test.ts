import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import fc from 'fast-check';
import { StoreUnavailable } from '../errors/store-failure.ts';
import { SYSTEM_CLOCK } from '../seams/clock.ts';
import { createManualClock } from '../seams/clock-fixture.ts';
import { DailyCap, untilNextDay } from './daily-cap.ts';
import type { QuotaStore } from './quota.ts';

const DAY_MS = 86_400_000;
const NOON = Date.UTC(2026, 10, 21, 12);

/** A store that nodes share: how many are taken of each day, and how often it was asked. */
class Quotas implements QuotaStore {
  readonly used = new Map<number, number>();
  asked = 0;
  away = false;

  async takeQuota(_name: string, day: number, max: number, count: number): Promise<number> {
    this.asked++;
    if (this.away) throw new StoreUnavailable('away');
    const used = this.used.get(day) ?? 0;
    const got = Math.min(count, max - used);
    this.used.set(day, used + got);
    return got;
  }

  async returnQuota(_name: string, day: number, count: number): Promise<void> {
    if (this.away) throw new StoreUnavailable('away');
    this.used.set(day, (this.used.get(day) ?? 0) - count);
  }

  get today(): number | undefined {
    return this.used.get(Math.floor(Date.now() / DAY_MS));
  }
}

async function takeAll(cap: DailyCap, count: number) {
  const places = await Promise.all(Array.from({ length: count }, () => cap.take()));
  return places.filter((place) => place !== undefined);
}

suite('daily cap', () => {
  let quotas: Quotas;
  beforeEach(() => {
    quotas = new Quotas();
  });

  test('no more than its places are given, to however many at once', async () => {
    const cap = new DailyCap(quotas, 'c', 30, SYSTEM_CLOCK);
    assert.equal((await takeAll(cap, 500)).length, 30);
    assert.equal(cap.take(), undefined);
    assert.ok(cap.isUsedUp);
  });

  test('a block of a hundredth is taken ahead, and at most a hundred', async () => {
    for (const [max, block] of [
      [50, 1],
      [1_000, 10],
      [1_000_000, 100],
    ] as const) {
      quotas = new Quotas();
      await new DailyCap(quotas, 'c', max, SYSTEM_CLOCK).take();
      assert.equal(quotas.today, block);
    }
  });

  test('requests that come while the store is asked share the next question', async () => {
    const cap = new DailyCap(quotas, 'c', 100_000, SYSTEM_CLOCK);
    await takeAll(cap, 500);
    assert.ok(quotas.asked <= 2, `${quotas.asked}`);
    quotas.asked = 0;
    for (let i = 0; i < 1_000; i++) await cap.take();
    assert.ok(quotas.asked <= 11, `${quotas.asked}`);
  });

  test('places taken ahead are returned at the end', async () => {
    const cap = new DailyCap(quotas, 'c', 10_000, SYSTEM_CLOCK);
    await takeAll(cap, 7);
    await cap.stop();
    assert.equal(quotas.today, 7);
  });

  test('places that the store is just giving are returned at the end, too', async () => {
    const cap = new DailyCap(quotas, 'c', 10_000, SYSTEM_CLOCK);
    const place = cap.take();
    await cap.stop();
    assert.notEqual(await place, undefined);
    assert.equal(quotas.today, 1);
  });

  test('a place that was given back is there for the next, a heap of them for other nodes', async () => {
    const clock = createManualClock(NOON);
    const cap = new DailyCap(quotas, 'c', 50, clock);
    const other = new DailyCap(quotas, 'c', 50, clock);
    const places = await takeAll(cap, 50);
    assert.equal(await other.take(), undefined);
    for (const place of places) cap.giveBack(place);
    assert.equal((await takeAll(cap, 1)).length, 1);
    clock.pass(1_000);
    assert.ok((await takeAll(other, 50)).length >= 40);
    await Promise.all([cap.stop(), other.stop()]);
  });

  test('a return that was not acknowledged may have happened: its places are not used here again', async () => {
    const forgetful: QuotaStore = {
      takeQuota: (...asked) => quotas.takeQuota(...asked),
      async returnQuota(...asked) {
        await quotas.returnQuota(...asked);
        throw new StoreUnavailable('away');
      },
    };
    const cap = new DailyCap(forgetful, 'c', 50, SYSTEM_CLOCK);
    const other = new DailyCap(quotas, 'c', 50, SYSTEM_CLOCK);
    for (const place of await takeAll(cap, 50)) cap.giveBack(place);
    await new Promise((resolve) => setImmediate(resolve));
    const used = [...(await takeAll(other, 50)), ...(await takeAll(cap, 50))];
    assert.ok(used.length <= 50, `${used.length}`);
  });

  test('asked again after a second, for others may have given something back', async () => {
    const clock = createManualClock(NOON);
    const cap = new DailyCap(quotas, 'c', 5, clock);
    await takeAll(cap, 6);
    quotas.used.set(Math.floor(NOON / DAY_MS), 4);
    assert.equal(cap.take(), undefined);
    clock.pass(1_000);
    assert.notEqual(await cap.take(), undefined);
  });

  test('a new day begins at midnight UTC, with all its places and none of the old', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: NOON });
    assert.equal(untilNextDay(NOON), DAY_MS / 2);
    const cap = new DailyCap(quotas, 'c', 500, SYSTEM_CLOCK);
    const [old] = await takeAll(cap, 498);
    t.mock.timers.tick(DAY_MS / 2);
    assert.ok(!cap.isUsedUp && old !== undefined);
    cap.giveBack(old);
    assert.equal((await takeAll(cap, 600)).length, 500);
    assert.equal(quotas.today, 500);
  });

  test('a place taken ahead is worth nothing on the next day', async () => {
    const clock = createManualClock(NOON);
    const cap = new DailyCap(quotas, 'c', 1_000, clock);
    const today = NOON / DAY_MS - 0.5;
    assert.equal(await cap.take(), today);
    clock.pass(DAY_MS);
    assert.equal(await cap.take(), today + 1);
    assert.equal(quotas.used.get(today + 1), 10);
  });

  test('what is left of a block that the store gave only in part is used', async () => {
    quotas.used.set(Math.floor(NOON / DAY_MS), 995);
    const cap = new DailyCap(quotas, 'c', 1_000, createManualClock(NOON));
    const places = [];
    for (let i = 0; i < 6; i++) places.push(await cap.take());
    assert.deepEqual(
      places.map((place) => place !== undefined),
      [true, true, true, true, true, false],
    );
  });

  test('a stop waits until the places are returned', async () => {
    const cap = new DailyCap(quotas, 'c', 10_000, SYSTEM_CLOCK);
    await cap.take();
    const giveBack = quotas.returnQuota.bind(quotas);
    quotas.returnQuota = async (...returned) => {
      await new Promise((resolve) => setImmediate(resolve));
      return giveBack(...returned);
    };
    await cap.stop();
    assert.equal(quotas.today, 1);
  });

  test('a place asked for before midnight and got after it counts in the day before', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: NOON + DAY_MS / 2 - 1 });
    const cap = new DailyCap(quotas, 'c', 500, SYSTEM_CLOCK);
    const place = cap.take();
    t.mock.timers.tick(1);
    assert.ok(!cap.isUsedUp);
    assert.equal(await place, Math.floor(NOON / DAY_MS));
    assert.equal((await takeAll(cap, 501)).length, 500);
  });

  test('a store that is away is no permission, and no refusal for longer', async () => {
    const cap = new DailyCap(quotas, 'c', 5, SYSTEM_CLOCK);
    quotas.away = true;
    await assert.rejects(async () => cap.take(), StoreUnavailable);
    quotas.away = false;
    assert.notEqual(await cap.take(), undefined);
    quotas.away = true;
    await cap.stop();
  });

  test('never more than the cap, over nodes that race, fail, give back and stop, on a store that fails', async () => {
    const node = fc.array(fc.boolean(), { minLength: 1, maxLength: 250 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(node, { minLength: 2, maxLength: 4 }),
        fc.integer({ min: 1, max: 400 }),
        fc.infiniteStream(fc.integer({ min: 0, max: 9 })),
        async (nodes, max, fates) => {
          const quotas = unreliable(fates);
          let inUse = 0;
          const caps = nodes.map(() => new DailyCap(quotas, 'c', max, SYSTEM_CLOCK));
          await Promise.all(
            nodes.flatMap((fails, index) =>
              fails.map(async (fail) => {
                const place = await takeOrNothing(caps[index]);
                if (place === undefined) return;
                inUse++;
                assert.ok(inUse <= max, `${inUse} of ${max}`);
                await new Promise((resolve) => setImmediate(resolve));
                if (!fail) return;
                inUse--;
                caps[index]?.giveBack(place);
              }),
            ),
          );
          await Promise.all(caps.map((cap) => cap.stop()));
          assert.ok(quotas.taken() >= inUse, 'the store knows of every message');
        },
      ),
      { numRuns: 60 },
    );
  });

  async function takeOrNothing(cap: DailyCap | undefined) {
    try {
      return await cap?.take();
    } catch (error) {
      assert.ok(error instanceof StoreUnavailable);
      return undefined;
    }
  }

  /** Fails before or after it has done what was asked, or is slow, as the fates will. */
  function unreliable(fates: Iterable<number> & Iterator<number>) {
    const quotas = new Quotas();
    const meddle = async <T>(act: () => Promise<T>): Promise<T> => {
      const fate = fates.next().value;
      if (fate === 0) throw new StoreUnavailable('before');
      for (let i = 0; i < (fate ?? 0) % 4; i++) await new Promise((resolve) => setImmediate(resolve));
      const answer = await act();
      if (fate === 1) throw new StoreUnavailable('after');
      return answer;
    };
    const store: QuotaStore = {
      takeQuota: (...asked) => meddle(() => quotas.takeQuota(...asked)),
      returnQuota: (...asked) => meddle(() => quotas.returnQuota(...asked)),
    };
    return { ...store, taken: () => quotas.today ?? 0 };
  }
});
