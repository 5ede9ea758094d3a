import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import {
  decodeDataMessage,
  decodeMessage,
  decodeMessageId,
  encodeBind,
  encodeMessage,
  relativeTime,
  type ShortMessage,
} from './body.ts';
import { COMMAND } from './pdu.ts';

const octet = fc.integer({ min: 0, max: 255 });
const text = (maxLength: number) => fc.string({ unit: fc.constantFrom(...'+0123456789abcÄ '), maxLength });
const address = fc.record({ ton: octet, npi: octet, digits: text(20) }, { noNullPrototype: true });
const shortMessage: fc.Arbitrary<ShortMessage> = fc.record(
  {
    serviceType: text(5),
    source: address,
    destination: address,
    esmClass: octet,
    validityPeriod: text(16),
    registeredDelivery: octet,
    dataCoding: octet,
    octets: fc.uint8Array({ maxLength: 254 }).map((octets) => Buffer.from(octets)),
  },
  { noNullPrototype: true },
);

it('reads back any message it wrote, and its optional parameters', () => {
  fc.assert(
    fc.property(shortMessage, fc.uint8Array({ maxLength: 9 }), (message, value) => {
      const body = encodeMessage(COMMAND.submitSm, 1, message).subarray(16);
      const tlv = Buffer.from([0x14, 0x01, 0, value.length, ...value]);
      // An incomplete parameter at the end does not invalidate the others.
      const decoded = decodeMessage(Buffer.concat([body, tlv, Buffer.from([0x04, 0x27, 0, 9, 1])]));
      assert.deepEqual(decoded, { ...message, tlvs: new Map([[0x1401, Buffer.from(value)]]) });
    }),
  );
});

it('writes the optional parameters that it is handed, behind the message', () => {
  fc.assert(
    fc.property(shortMessage, fc.uint8Array({ maxLength: 99 }), (message, value) => {
      const parameters = Buffer.from([0x14, 0x00, 0, value.length, ...value]);
      const written = encodeMessage(COMMAND.submitSm, 1, { ...message, parameters });
      assert.equal(written.readUInt32BE(0), written.length);
      const decoded = decodeMessage(written.subarray(16));
      assert.deepEqual(decoded, { ...message, tlvs: new Map([[0x1400, Buffer.from(value)]]) });
    }),
  );
});

it('never throws for any body, and never reads a message cut short', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), (octets) => {
      decodeMessage(Buffer.from(octets));
      decodeDataMessage(Buffer.from(octets));
      decodeMessageId(Buffer.from(octets));
    }),
    { numRuns: 2_000 },
  );
  fc.assert(
    fc.property(shortMessage, fc.nat(), (message, cut) => {
      const body = encodeMessage(COMMAND.deliverSm, 1, message).subarray(16);
      assert.equal(decodeMessage(body.subarray(0, cut % body.length)), undefined);
    }),
  );
});

it('takes the text from message_payload where short_message is empty', () => {
  const address = { ton: 0, npi: 0, digits: '' };
  const empty = { serviceType: '', source: address, destination: address, octets: Buffer.alloc(0) };
  const rest = { esmClass: 0, validityPeriod: '', registeredDelivery: 0, dataCoding: 0 };
  const body = encodeMessage(5, 1, { ...empty, ...rest });
  const payload = Buffer.from([0x04, 0x24, 0, 2, 0x68, 0x69]);
  assert.equal(String(decodeMessage(Buffer.concat([body.subarray(16), payload]))?.octets), 'hi');
});

it('writes spans as SMPP has them', () => {
  assert.equal(relativeTime(600_000), '000000001000000R');
  assert.equal(relativeTime(599_999), '000000000959000R');
  assert.equal(relativeTime(90_061_000), '000001010101000R');
  assert.equal(relativeTime(1), '000000000001000R');
});

it('reads message ids with and without their end', () => {
  assert.equal(decodeMessageId(Buffer.from('ab01\0')), 'ab01');
  assert.equal(decodeMessageId(Buffer.from('ab01')), 'ab01');
  assert.equal(decodeMessageId(Buffer.alloc(0)), '');
});

const binding = {
  ...{ systemId: 'u', password: 'p', systemType: 'VMA' },
  ...{ interfaceVersion: 0x34, addressTon: 0, addressNpi: 0, addressRange: '' },
};

it('binds for what the link is, without an address range', () => {
  for (const [role, command] of [
    ['transceiver', '09'],
    ['transmitter', '02'],
    ['receiver', '01'],
  ] as const) {
    assert.equal(
      encodeBind(1, role, binding).toString('hex'),
      `0000001c000000${command}0000000000000001 7500 7000 564d4100 34 00 00 00`.replaceAll(' ', ''),
    );
  }
});

it('binds with another version, and a range with its type and plan', () => {
  const range = { interfaceVersion: 0x33, addressTon: 1, addressNpi: 8, addressRange: '^49' };
  assert.equal(
    encodeBind(1, 'receiver', { ...binding, ...range }).toString('hex', 16),
    '7500 7000 564d4100 33 01 08 5e343900'.replaceAll(' ', ''),
  );
});
