import assert from 'node:assert/strict';
import { test } from 'node:test';
import { happenedWithin } from './since.ts';

const NOON = Date.UTC(2026, 10, 30, 12);

/** How many hours ago it may have been at the latest. */
const hoursAgo = (said: string): number | undefined => {
  if (happenedWithin(said, 1, NOON) === undefined) return undefined;
  for (let hours = -48; hours < 200; hours++) if (happenedWithin(said, hours, NOON)) return hours - 1;
  return Number.POSITIVE_INFINITY;
};

for (const [said, ago] of [
  ['2026-11-29T15:00:00Z', 21],
  ['2026-11-29t15:00z', 21],
  ['20261129T150000Z', 21],
  ['2026-11-29T15:00:00.123+01:00', 22],
  ['2026-11-29T15:00:00+0100', 22],
  ['2026-11-29T15:00:00-05', 16],
  ['2026-11-29 15:00:00 +01:00', 22],
  ['Sun, 29 Nov 2026 15:00:00 GMT', 21],
  // Without a zone: as late as UTC-12 has it.
  ['2026-11-29T15:00:00', 9],
  ['2026-11-29 15:00:00', 9],
  ['20261129T150000', 9],
  // A day until it has ended there.
  ['2026-11-28', 24],
  ['20261128', 24],
] as const) {
  test(`"${said}" was ${ago} hours ago, wherever this node is`, () => {
    const before = process.env.TZ;
    try {
      for (const zone of ['UTC', 'Asia/Tokyo', 'America/Los_Angeles']) {
        process.env.TZ = zone;
        assert.equal(hoursAgo(said), ago, zone);
      }
    } finally {
      if (before === undefined) delete process.env.TZ;
      else process.env.TZ = before;
    }
  });
}

for (const said of [
  '',
  'never',
  '2026-13-01',
  '20261301',
  '2026-1128',
  '1764504000',
  'Nov 29, 2026 15:00',
  '29',
]) {
  test(`"${said}" is no time`, () => {
    assert.equal(happenedWithin(said, 24, NOON), undefined);
  });
}

test('nothing is no time', () => assert.equal(happenedWithin(undefined, 24, NOON), undefined));
