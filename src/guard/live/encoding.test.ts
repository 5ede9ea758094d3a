import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { rowsOf, type ShareRows, shareOf } from '../fixture.ts';
import { PLACE_KINDS } from '../request-places.ts';
import type { Share } from '../sharing.ts';
import { decodeShare, encodeShare } from './encoding.ts';

const word = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const time = fc.oneof(
  fc.constant(0),
  fc.integer({ min: 0, max: 2 ** 42 }),
  fc.double({ min: 0, max: 2 ** 42 }),
);
const part = fc.float({ noNaN: true, noDefaultInfinity: true });
const three = fc.tuple(part, part, part);
const counts = { trials: fc.double({ noNaN: true, min: 0 }), confirmed: fc.double({ noNaN: true, min: 0 }) };

const rows: fc.Arbitrary<ShareRows> = fc.record({
  places: fc.array(
    fc.record({
      kind: fc.nat(PLACE_KINDS.length - 1),
      ...{ hash: word, tag: word, at: time, bornAt: time, trials: three, confirmed: three },
      ...{ alarms: part, heat: fc.option(part, { nil: undefined }), spacing: part, failures: part },
    }),
  ),
  numbers: fc.array(
    fc.record({
      ...{ hash: word, tag: word, askedAt: time, confirmedAt: time, wishAt: time },
      ...{ account: word, unconfirmed: part, confirmer: word, own: part, repeats: part },
    }),
  ),
  baseline: fc.array(
    fc.record(
      { country: fc.string(), ...counts, bySpeed: fc.tuple(counts.trials, counts.trials, counts.trials) },
      { requiredKeys: ['trials', 'confirmed', 'bySpeed'] },
    ),
  ),
});

const shares = rows.map(shareOf);

/** As plain objects. */
function plain(share: Share | undefined): ShareRows | undefined {
  return share && structuredClone(rowsOf(share));
}

test('what is encoded comes back as it was', () => {
  fc.assert(
    fc.property(rows, (said) => {
      const { places, numbers, baseline } = plain(decodeShare(encodeShare(shareOf(said)))) ?? {};
      assert.deepEqual([places, numbers], structuredClone([said.places, said.numbers]));
      assert.equal(JSON.stringify(baseline), JSON.stringify(said.baseline));
    }),
  );
});

test('what is damaged, cut short, longer or of another version is not read', () => {
  fc.assert(
    fc.property(shares, fc.nat(), fc.integer({ min: 1, max: 255 }), (share, place, change) => {
      const bytes = Buffer.from(encodeShare(share), 'base64');
      assert.equal(decodeShare(bytes.subarray(0, place % bytes.length).toString('base64')), undefined);
      assert.equal(decodeShare(Buffer.concat([bytes, Buffer.of(0)]).toString('base64')), undefined);
      const at = place % bytes.length;
      bytes[at] = (bytes[at] ?? 0) ^ change;
      assert.equal(decodeShare(bytes.toString('base64')), undefined);
    }),
  );
  for (const text of ['', 'AQ==', '{"places":[]}', '\0', '§'.repeat(50)])
    assert.equal(decodeShare(text), undefined);
});
