import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  between,
  daysOf,
  isLongest,
  MOVES,
  type Range,
  rangeOf,
  rangeOfDays,
  refreshEvery,
} from './range.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const HOUR = 3_600_000;
const read = (query: string) => rangeOf(new URLSearchParams(query), NOW, 'utc');

describe('the range that is looked at', () => {
  test('a preset ends now', () => {
    assert.deepEqual(read('range=1h'), { from: NOW - HOUR, to: NOW, preset: '1h' });
  });

  test('today, yesterday and this month begin at midnight', () => {
    const at = (text: string) => Date.parse(`2026-11-${text}:00:00Z`);
    assert.deepEqual(read('range=today'), { from: at('20T00'), to: NOW, preset: 'today' });
    assert.deepEqual(read('range=yesterday'), { from: at('19T00'), to: at('20T00'), preset: 'yesterday' });
    assert.deepEqual(read('range=month'), { from: at('01T00'), to: NOW, preset: 'month' });
    const local = rangeOf(new URLSearchParams('range=yesterday'), NOW, 'local');
    assert.deepEqual([new Date(local.from).getHours(), new Date(local.to).getHours()], [0, 0]);
  });

  test('whole days are chosen with the last one included, and are read back', () => {
    const range = rangeOfDays('2026-11-03', '2026-11-05', 'utc');
    assert.deepEqual(range, { from: Date.parse('2026-11-03'), to: Date.parse('2026-11-06') });
    assert.deepEqual(range && daysOf(range, 'utc'), ['2026-11-03', '2026-11-05']);
    const local = rangeOfDays('2026-03-29', '2026-03-29', 'local');
    assert.deepEqual(local && daysOf(local, 'local'), ['2026-03-29', '2026-03-29']);
    for (const [first, last] of [
      ['2026-11-05', '2026-11-03'],
      ['', '2026-11-03'],
    ] as const) {
      assert.equal(rangeOfDays(first, last, 'utc'), undefined);
    }
  });

  test('an address that makes no sense means the last day', () => {
    for (const query of [
      '',
      'range=never',
      'from=x&to=y',
      'from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z',
    ]) {
      assert.deepEqual(read(query), { from: NOW - 24 * HOUR, to: NOW, preset: '24h' });
    }
  });

  test('live for a day at most, and not where the end is fixed', () => {
    assert.equal(refreshEvery(read('range=24h')), 2_000);
    assert.equal(refreshEvery(read('range=7d')), 30_000);
    assert.equal(refreshEvery(read('from=2026-01-01T00:00:00Z&to=2026-01-01T01:00:00Z')), false);
  });

  test('zooming in and out again returns to the same range', () => {
    const range = { from: NOW - HOUR, to: NOW };
    assert.deepEqual(MOVES['Zoom out'](MOVES['Zoom in'](range, NOW), NOW), range);
    assert.deepEqual(MOVES.Later(MOVES.Earlier(range, NOW), NOW), range);
  });

  test('zooming out extends into the past where the future ends, up to nine years', () => {
    const out = MOVES['Zoom out'];
    assert.deepEqual(out({ from: NOW - HOUR, to: NOW }, NOW), { from: NOW - 2 * HOUR, to: NOW });
    assert.deepEqual(out({ from: NOW - 3 * HOUR, to: NOW - HOUR }, NOW), { from: NOW - 4 * HOUR, to: NOW });
    const year = 365 * 24 * HOUR;
    let range: Range = { from: NOW - year, to: NOW };
    for (let n = 0; n < 4; n++) {
      assert.ok(!isLongest(range));
      range = out(range, NOW);
    }
    assert.deepEqual(range, { from: NOW - 9 * year, to: NOW });
    assert.ok(isLongest(range));
    const past = { from: NOW - 12 * year, to: NOW - 7 * year };
    const { from, to } = out(past, NOW);
    assert.equal(to - from, 9 * year);
    assert.equal(from + to, past.from + past.to, 'around the same time');
  });

  test('a brush in either direction, never narrower than five minutes', () => {
    assert.deepEqual(between(NOW, NOW - HOUR), { from: NOW - HOUR, to: NOW });
    const { from, to } = between(NOW, NOW + 1000);
    assert.equal(to - from, 5 * 60_000);
  });
});
