import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { distance, encodePdu, MAX_COMMAND_LENGTH, nextSequence, type Pdu, PduReader } from './pdu.ts';

const uint32 = fc.integer({ min: 0, max: 0xffff_ffff });
const somePdu: fc.Arbitrary<Pdu> = fc.record(
  {
    command: uint32,
    status: uint32,
    sequence: uint32,
    body: fc.uint8Array({ maxLength: 300 }).map((octets) => Buffer.from(octets)),
  },
  { noNullPrototype: true },
);

/** `data` in chunks that end where `cuts` say. */
function chunk(data: Buffer, cuts: readonly number[]): Buffer[] {
  const ends = [...cuts.map((cut) => cut % (data.length + 1)), data.length].sort((a, b) => a - b);
  return ends.map((end, index) => data.subarray(ends[index - 1] ?? 0, end));
}

describe('PduReader', () => {
  it('gives back what was encoded, whatever the chunks', () => {
    fc.assert(
      fc.property(fc.array(somePdu), fc.array(fc.nat()), (sent, cuts) => {
        const reader = new PduReader();
        const data = Buffer.concat(sent.map(encodePdu));
        const results = chunk(data, cuts).map((octets) => reader.push(octets));
        assert.deepEqual(
          results.flatMap(({ pdus }) => pdus),
          sent,
        );
        assert.ok(results.every(({ broken }) => !broken));
      }),
    );
  });

  it('says the same of any octets in any chunks', () => {
    const lengths = fc.integer({ min: 0, max: 60 }).map((length) => Buffer.from([0, 0, 0, length]));
    const junk = fc.uint8Array({ maxLength: 40 }).map((octets) => Buffer.from(octets));
    fc.assert(
      fc.property(fc.array(fc.oneof(lengths, junk)), fc.array(fc.nat()), (pieces, cuts) => {
        const data = Buffer.concat(pieces);
        const whole = new PduReader().push(data);
        const reader = new PduReader();
        const pdus: Pdu[] = [];
        let broken = false;
        for (const octets of chunk(data, cuts)) {
          const result = reader.push(octets);
          pdus.push(...result.pdus);
          broken = result.broken;
          if (broken) break;
        }
        assert.deepEqual({ pdus, broken }, whole);
      }),
    );
  });

  for (const length of [0, 15, MAX_COMMAND_LENGTH + 1, 0x7fff_ffff, 0xffff_ffff]) {
    it(`refuses command_length ${length} as soon as it is read`, () => {
      const octets = Buffer.alloc(4);
      octets.writeUInt32BE(length);
      assert.deepEqual(new PduReader().push(octets), { pdus: [], broken: true });
    });
  }

  it('reads a long PDU that comes octet by octet without reading it over and over', () => {
    const pdu = { command: 5, status: 0, sequence: 1, body: Buffer.alloc(MAX_COMMAND_LENGTH - 16, 1) };
    const data = encodePdu(pdu);
    const reader = new PduReader();
    const pdus = Array.from(data, (_, index) => reader.push(data.subarray(index, index + 1)).pdus).flat();
    assert.deepEqual(pdus, [pdu]);
  });
});

it('numbers requests from 1 to 0x7fffffff and from 1 again', () => {
  assert.equal(nextSequence(0), 1);
  assert.equal(nextSequence(0x7fff_fffe), 0x7fff_ffff);
  assert.equal(nextSequence(0x7fff_ffff), 1);
  assert.equal(distance(0x7fff_ffff, 2), 2);
  assert.equal(distance(1, 4), 3);
});
