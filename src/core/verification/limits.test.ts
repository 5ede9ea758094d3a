import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { formatDuration, parseDuration, parseLimit } from './limits.ts';

const SIZES = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const amount = fc.integer({ min: 1, max: 999_999_999 });
const unit = fc.constantFrom(...(['ms', 's', 'm', 'h', 'd'] as const));

suite('limits', () => {
  test('a duration is its amount in its unit', () => {
    fc.assert(
      fc.property(amount, unit, (count, name) => {
        assert.equal(parseDuration(`${count}${name}`), count * SIZES[name]);
      }),
    );
  });

  test('a formatted duration reads as the same', () => {
    fc.assert(
      fc.property(amount, unit, (count, name) => {
        const ms = count * SIZES[name];
        assert.equal(parseDuration(formatDuration(ms)), ms);
      }),
    );
  });

  test('a duration is written in its largest whole unit', () => {
    const spellings = { 1: '1ms', 1500: '1500ms', 2000: '2s', 600000: '10m', 5400000: '90m' };
    for (const [ms, text] of Object.entries(spellings)) assert.equal(formatDuration(Number(ms)), text);
    assert.equal(formatDuration(86_400_000), '1d');
    assert.equal(formatDuration(3_600_000), '1h');
  });

  test('other texts are not durations', () => {
    for (const text of [
      '',
      '10',
      'm',
      '0s',
      '-1s',
      '1.5s',
      '1 s',
      '1S',
      '1w',
      '1000000000ms',
      '10m ',
      'constructor',
    ])
      assert.equal(parseDuration(text), undefined, text);
  });

  test('a limit is read within its bounds, and refused beyond them', () => {
    const most = fc.oneof(amount, fc.integer({ min: 999_990, max: 1_000_010 }));
    fc.assert(
      fc.property(most, amount, unit, (max, count, name) => {
        const windowMs = count * SIZES[name];
        const within = max <= 1_000_000 && windowMs <= 3_650 * SIZES.d;
        assert.deepEqual(parseLimit(`${max}/${count}${name}`), within ? { max, windowMs } : undefined);
      }),
    );
    assert.deepEqual(parseLimit('1000000/3650d'), { max: 1_000_000, windowMs: 315_360_000_000 });
  });

  test('other texts are not limits', () => {
    for (const text of [
      '',
      '5',
      '5/',
      '/10m',
      '0/10m',
      '05/10m',
      '5/0s',
      '5/10m/1',
      '1e3/1s',
      '-5/1s',
      '5 / 10m',
      '1000001/1s',
      '1000000000000/1d',
      '1/3651d',
    ])
      assert.equal(parseLimit(text), undefined, text);
  });

  test('nothing makes it throw', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        parseDuration(text);
        parseLimit(text);
      }),
    );
  });
});
