import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { countSegments, GSM7_BASIC, GSM7_EXTENSION, isGsm7 } from '../../../core/message/segments.ts';
import { anyText } from '../../../core/text/any-text-fixture.ts';
import { GSM_CODINGS, UCS2_CODINGS } from './alphabets.ts';
import { segmentText } from './segments.ts';

type Manner = Parameters<typeof segmentText>[2];
type Segments = ReturnType<typeof segmentText>;

const USUAL: Manner = { dataCoding: { gsm: 0, ucs2: 8 }, long: 'udh' };
const UDH_INDICATOR = 0x40;
const usual = (text: string, reference = 0) => segmentText(text, reference, USUAL);

/** An independent decoder: escapes use the extension table, everything else the alphabet. */
function decodeGsm7(octets: Buffer): string {
  let text = '';
  for (let at = 0; at < octets.length; at += 1) {
    const escaped = octets[at] === 0x1b;
    if (escaped) at += 1;
    text += (escaped ? GSM7_EXTENSION : GSM7_BASIC)[octets[at] ?? 0];
  }
  return text;
}

function decodeOctets(octets: Buffer, dataCoding: number): string {
  // Some SMSCs read 1 as ASCII, others as the GSM alphabet.
  if (dataCoding === 1) assert.equal(octets.toString('ascii'), decodeGsm7(octets));
  if (dataCoding === 3) return octets.toString('latin1');
  return UCS2_CODINGS.has(dataCoding) ? Buffer.from(octets).swap16().toString('utf16le') : decodeGsm7(octets);
}

function decode({ dataCoding, esmClass, parts }: Segments): string {
  return parts
    .map(({ octets, parameters }) => {
      if (parameters?.readUInt16BE(0) === 0x0424) {
        assert.equal(octets.length, 0);
        assert.equal(parameters.readUInt16BE(2), parameters.length - 4);
        return parameters.subarray(4);
      }
      return esmClass === UDH_INDICATOR ? octets.subarray(6) : octets;
    })
    .map((octets) => decodeOctets(octets, dataCoding))
    .join('');
}

const gsm7 = fc.constantFrom(...(GSM7_BASIC + GSM7_EXTENSION).replaceAll('\0', '').replace('\u001b', ''));
const anything = fc.oneof(gsm7, fc.constantFrom('я', '验', '🔐', 'Ç', '\0', '\u001b'), anyText());
const texts = fc.oneof(
  fc.string({ unit: gsm7, maxLength: 400 }),
  fc.array(anything, { maxLength: 200 }).map((pieces) => pieces.join('')),
);

it('carries every text intact, in as many parts as core counts, none too long', () => {
  fc.assert(
    fc.property(texts, fc.nat(), (text, reference) => {
      const segments = usual(text, reference);
      assert.equal(decode(segments), text);
      assert.equal(segments.dataCoding, isGsm7(text) ? 0 : 8);
      assert.equal(segments.parts.length, countSegments(text));
      assert.equal(segments.esmClass, segments.parts.length > 1 ? UDH_INDICATOR : 0);
      // A concatenated GSM-7 part has 153 septets beside its header, which takes six octets here.
      const limit = segments.dataCoding === 8 ? 140 : segments.parts.length > 1 ? 159 : 160;
      assert.ok(segments.parts.every(({ octets }) => octets.length <= limit));
    }),
  );
});

it('carries every text intact in each coding and each form of long texts', () => {
  const manners = fc.record<Manner>({
    dataCoding: fc.record({
      gsm: fc.constantFrom(...GSM_CODINGS.keys()),
      ucs2: fc.constantFrom(...UCS2_CODINGS),
    }),
    long: fc.constantFrom('udh', 'sar', 'payload'),
  });
  fc.assert(
    fc.property(texts, manners, fc.nat(), (text, manner, reference) => {
      const segments = segmentText(text, reference, manner);
      assert.equal(decode(segments), text);
      const { gsm, ucs2 } = manner.dataCoding;
      assert.ok([gsm, ucs2].includes(segments.dataCoding));
      if (segments.dataCoding === gsm) assert.ok(isGsm7(text));
      if (manner.long === 'payload') assert.equal(segments.parts.length, 1);
      else if (segments.dataCoding === gsm) assert.equal(segments.parts.length, countSegments(text));
      assert.equal(segments.esmClass, manner.long === 'udh' && segments.parts.length > 1 ? UDH_INDICATOR : 0);
    }),
  );
});

it('encodes as the tables of 3GPP TS 23.038 say', () => {
  assert.deepEqual([...usual('@Δ €~').parts[0].octets], [0x00, 0x10, 0x20, 0x1b, 0x65, 0x1b, 0x3d]);
  assert.deepEqual([...usual('ж').parts[0].octets], [0x04, 0x36]);
  assert.deepEqual([...usual('🔐').parts[0].octets], [0xd8, 0x3d, 0xdd, 0x10]);
});

it('writes what the data_coding says, and UCS-2 where its alphabet lacks a character', () => {
  const written = (text: string, gsm: number) => {
    const { dataCoding, parts } = segmentText(text, 0, { ...USUAL, dataCoding: { gsm, ucs2: 0x19 } });
    return [dataCoding, parts[0].octets.toString('hex')];
  };
  assert.deepEqual(written('@é', 0x00), [0x00, '0005']);
  assert.deepEqual(written('@é', 0xf1), [0xf1, '0005']);
  assert.deepEqual(written('@é', 0x03), [0x03, '40e9']);
  assert.deepEqual(written('@é', 0x01), [0x19, '004000e9']);
  assert.deepEqual(written('Code: 1', 0x01), [0x01, '436f64653a2031']);
  for (const other of ['@', '$', '_', '{']) assert.equal(written(other, 0x01)[0], 0x19);
  assert.deepEqual(written('€', 0x03), [0x19, '20ac']);
});

it('fills the parts of Latin-1 by the septets that telephones get', () => {
  const latin1 = { ...USUAL, dataCoding: { gsm: 3, ucs2: 8 } };
  const lengths = (text: string) => segmentText(text, 0, latin1).parts.map(({ octets }) => octets.length - 6);
  assert.deepEqual(lengths('{'.repeat(100)), [76, 24]);
  assert.equal(segmentText('{'.repeat(80), 0, latin1).parts.length, 1);
});

it('numbers the parts and gives them one reference', () => {
  const headers = usual('ж'.repeat(135), 0x1ff).parts.map(({ octets }) => octets.toString('hex', 0, 6));
  assert.deepEqual(headers, ['050003ff0301', '050003ff0302', '050003ff0303']);
});

it('numbers parts by optional parameters', () => {
  const { parts } = segmentText('ж'.repeat(135), 0x1ff, { ...USUAL, long: 'sar' });
  assert.deepEqual(
    parts.map(({ parameters, octets }) => [parameters?.toString('hex'), octets.length]),
    ['01', '02', '03'].map((number, index) => [
      `020c000200ff020e000103020f0001${number}`,
      [134, 134, 2][index],
    ]),
  );
});

it('puts only a long text into message_payload', () => {
  const payload: Manner = { ...USUAL, long: 'payload' };
  assert.deepEqual(segmentText('x'.repeat(160), 0, payload).parts, [{ octets: Buffer.alloc(160, 'x') }]);
  const [part] = segmentText('x'.repeat(161), 0, payload).parts;
  assert.equal(part.parameters?.toString('latin1'), `\x04\x24\0\xa1${'x'.repeat(161)}`);
});

it('replaces half of a surrogate pair rather than send what no telephone can show', () => {
  assert.deepEqual([...usual('\ud83d').parts[0].octets], [0xff, 0xfd]);
});

it('cuts no escape and no surrogate pair in two', () => {
  const lengths = (text: string) => usual(text).parts.map(({ octets }) => octets.length - 6);
  assert.deepEqual(lengths(`${'x'.repeat(152)}€${'y'.repeat(7)}`), [152, 9]);
  assert.deepEqual(lengths(`${'ж'.repeat(66)}🔐жжж`), [132, 10]);
});
