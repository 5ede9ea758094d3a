/** What counts say: conversion and spend, against what is usual. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CountedTraffic } from '../../../../../src/alerts/watch/counted.ts';
import { createConversionWatch, createSpendWatch } from '../../../../../src/alerts/watch/traffic.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../rig.ts';
import { type AlertRig, NOW } from './rig.ts';

const TEN_SECONDS = 10 * SECOND;

export function describeTraffic(rig: AlertRig): void {
  const { findings } = rig;

  /** Counts as the store keeps them. */
  async function count(
    at: number,
    width: number,
    wanted: {
      readonly account?: string;
      readonly country?: string;
      readonly carrier?: string;
      readonly requested?: number;
      readonly submitted?: number;
      readonly confirmed?: number;
      readonly cost?: number;
      readonly test?: boolean;
    },
  ): Promise<void> {
    const { store, acme } = rig;
    const {
      account = acme,
      country = 'DE',
      carrier = '',
      requested = 0,
      submitted = 0,
      confirmed = 0,
      cost = 0,
    } = wanted;
    await store.transact([
      {
        sql: `INSERT INTO tally (width, at, account_id, test, channel, country, carrier, key_id, requested, submitted, delivered,
            undelivered, failed, confirmed, limited_by_key, limited_by_destination, mismatched, cost)
          VALUES (CAST($1 AS BIGINT), CAST($2 AS BIGINT), $3, CAST($4 AS INTEGER) = 1, 'sms', $5, $6, 'key_1', CAST($7 AS INTEGER),
            CAST($8 AS INTEGER), 0, 0, 0, CAST($9 AS INTEGER), 0, 0, 0, CAST($10 AS BIGINT))`,
        args: [
          width,
          at,
          account,
          Number(wanted.test ?? false),
          country,
          carrier,
          requested,
          submitted,
          confirmed,
          cost,
        ],
      },
    ]);
  }

  async function countHour(
    at: number,
    width: number,
    asked: number,
    confirmed: number,
    rest: { country?: string; test?: boolean; account?: string } = {},
  ) {
    await count(at, width, { ...rest, requested: asked });
    await count(at, width, { ...rest, carrier: 'smsc', submitted: asked, confirmed });
  }

  test('conversion that fell against the same hours of a week is found, by country and by carrier', async () => {
    const { acme } = rig;
    const before = NOW - HOUR;
    const hour = before - (before % HOUR);
    for (let day = 1; day <= 7; day++) {
      await countHour(hour - day * DAY, HOUR, 400, 320);
      await countHour(hour - day * DAY, HOUR, 400, 320, { country: 'FR' });
      // Another hour of the day, when hardly anybody confirms.
      await countHour(hour - day * DAY - 6 * HOUR, HOUR, 4_000, 10);
    }
    await countHour(NOW - 40 * MINUTE, TEN_SECONDS, 300, 90);
    await countHour(NOW - 40 * MINUTE, TEN_SECONDS, 300, 270, { country: 'FR' });
    // Codes that may still be confirmed, and those of test keys, say nothing.
    await countHour(NOW - 5 * MINUTE, TEN_SECONDS, 5_000, 0, { country: 'FR' });
    await countHour(NOW - 40 * MINUTE, TEN_SECONDS, 5_000, 0, { country: 'FR', test: true });
    const found = await findings(createConversionWatch(new CountedTraffic()));
    assert.deepEqual(
      found.map(({ accountId, subject, level, place }) => [accountId, subject, level, place]),
      [
        [acme, 'country DE', 'bad', 'overview?country=DE'],
        [acme, 'carrier smsc', 'near', 'overview?carrier=smsc'],
      ],
    );
    assert.match(found[0]?.detail ?? '', /Germany, 30 % .*\(90 of 300\); usual at this hour: 80 %/);
  });

  test('conversion is that of each account, and the usual that of the hour', async () => {
    const { acme, other } = rig;
    const hour = NOW - HOUR - ((NOW - HOUR) % HOUR);
    for (let day = 1; day <= 7; day++) {
      await countHour(hour - day * DAY, HOUR, 400, 320);
      await countHour(hour - day * DAY, HOUR, 400, 20, { account: other });
      // Later in the day, fewer confirm.
      await countHour(hour - day * DAY + 3 * HOUR, HOUR, 4_000, 200);
    }
    await countHour(NOW - 40 * MINUTE, TEN_SECONDS, 300, 240);
    await countHour(NOW - 40 * MINUTE, TEN_SECONDS, 300, 15, { account: other });
    const watch = createConversionWatch(new CountedTraffic());
    assert.deepEqual(await findings(watch), [], 'as usual for each');
    await countHour(NOW + 2 * HOUR + 20 * MINUTE, TEN_SECONDS, 300, 15);
    assert.deepEqual(await findings(watch, NOW + 3 * HOUR), [], 'as usual at that hour');
    await countHour(NOW + DAY - 40 * MINUTE, TEN_SECONDS, 300, 15);
    const found = await findings(watch, NOW + DAY);
    assert.deepEqual(
      found.map(({ accountId }) => accountId),
      [acme, acme],
    );
    for (const { detail } of found) assert.match(detail, /\(15 of 300\); usual at this hour: 80 %/);
  });

  test('what is added up look by look is what a look at everything finds, whatever is merged meanwhile', async () => {
    const { store } = rig;
    const start = Date.UTC(2026, 10, 20, 20);
    for (let minute = 0; minute < 6 * 60; minute += 3) {
      const at = start + minute * MINUTE;
      await count(at, TEN_SECONDS, { requested: minute + 1, country: minute % 2 === 0 ? 'DE' : 'FR' });
      await count(at, TEN_SECONDS, {
        carrier: 'smsc',
        submitted: minute + 1,
        confirmed: 1,
        cost: minute * 1_000,
      });
    }
    const sums = ({ hour, spent }: CountedTraffic) => {
      const groups = Map.groupBy(hour, ({ country, carrier }) => `${country} ${carrier}`);
      const added = [...groups].map(([name, list]) => [
        name,
        ...(['requested', 'submitted', 'confirmed'] as const).map((field) =>
          list.reduce((sum, counts) => sum + counts[field], 0),
        ),
      ]);
      return { hour: added.sort(), spent: [...spent] };
    };
    const going = new CountedTraffic();
    // A node that has no turn for hours begins again.
    const slept = new CountedTraffic();
    await slept.advance(store, start + 30 * MINUTE);
    // Past midnight, when the day begins again.
    for (let minute = 30; minute < 6 * 60; minute += 7) {
      const now = start + minute * MINUTE;
      await going.advance(store, now);
      await going.advance(store, now);
      const again = new CountedTraffic();
      await again.advance(store, now);
      assert.deepEqual(sums(going), sums(again), `after ${minute} minutes`);
      if (minute === 233) {
        await slept.advance(store, now);
        assert.deepEqual(sums(slept), sums(again), 'after a pause');
        assert.ok(sums(again).hour.length > 0 && sums(again).spent.length > 0);
      }
      while (await store.purge(now));
    }
  });

  test('no usual is no alarm', async () => {
    await countHour(NOW - 40 * MINUTE, TEN_SECONDS, 300, 0);
    assert.deepEqual(await findings(createConversionWatch(new CountedTraffic())), []);
  });

  test('a day that costs more than usual, or than stated, is found', async () => {
    const { acme, other } = rig;
    const today = NOW - (NOW % DAY);
    for (const day of [1, 2, 3, 4, 5]) {
      await count(today - day * DAY + HOUR, HOUR, { carrier: 'smsc', submitted: 200, cost: 10_000_000 });
    }
    await count(today + HOUR, HOUR, { carrier: 'smsc', submitted: 500, cost: 20_000_000 });
    await count(NOW - 15 * MINUTE, TEN_SECONDS, {
      carrier: 'smsc',
      submitted: 500,
      cost: 12_000_000,
    });
    await count(today + HOUR, HOUR, {
      account: other,
      carrier: 'smsc',
      submitted: 5_000,
      cost: 90_000_000,
    });
    const watch = createSpendWatch(new CountedTraffic(), 'EUR');
    const high = await findings(watch);
    assert.deepEqual(
      high.map(({ rule, accountId }) => [rule, accountId]),
      [['spend-high', acme]],
    );
    assert.match(high[0]?.detail ?? '', /32\.00 EUR so far; usual: 10\.00 EUR/);
    const stated = await findings(createSpendWatch(new CountedTraffic(), 'EUR'), NOW, {
      'spend-over': 32,
      'spend-high': 100,
    });
    assert.deepEqual(
      stated.map(({ rule, accountId }) => [rule, accountId]),
      [['spend-over', other]],
    );
    for (const day of [1, 2, 3, 4, 5]) {
      await count(today + day * DAY + HOUR, HOUR, { carrier: 'smsc', submitted: 200, cost: 50_000_000 });
    }
    await count(today + 6 * DAY + HOUR, HOUR, { carrier: 'smsc', submitted: 500, cost: 60_000_000 });
    assert.deepEqual(await findings(watch, NOW + 6 * DAY), [], 'by then that is usual');
  });

  test('what a day usually costs is the middle of the days that cost something, also where most cost nothing', async () => {
    const { acme } = rig;
    const today = NOW - (NOW % DAY);
    const spend = (day: number, cost: number) =>
      count(today - day * DAY + HOUR, HOUR, { carrier: 'smsc', submitted: 200, cost });
    const said = async () => {
      const found = await findings(createSpendWatch(new CountedTraffic(), 'EUR'));
      return found.map(({ accountId, detail }) => [accountId, detail.replace(/^.* cost /, '')]);
    };
    await spend(1, 120_000_000);
    await spend(5, 80_000_000);
    await spend(0, 240_000_000);
    assert.deepEqual(await said(), [], 'two days are no usual');
    await spend(3, 100_000_000);
    assert.deepEqual(await said(), [], 'it may cost three times as much');
    await count(NOW - 15 * MINUTE, TEN_SECONDS, { carrier: 'smsc', submitted: 1, cost: 60_010_000 });
    assert.deepEqual(await said(), [[acme, '300.01 EUR so far; usual: 100.00 EUR a day.']]);
    await spend(4, 900_000_000);
    assert.equal((await said()).length, 1, 'one costly day makes nothing usual');
    await spend(6, 900_000_000);
    assert.deepEqual(await said(), []);
  });
}
