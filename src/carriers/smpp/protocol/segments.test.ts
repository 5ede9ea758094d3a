import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { countSegments, GSM7_BASIC, GSM7_EXTENSION, isGsm7 } from '../../../core/message/segments.ts';
import { segmentText } from './segments.ts';

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

function decode({ dataCoding, concatenated, parts }: ReturnType<typeof segmentText>): string {
  return parts
    .map((part) => (concatenated ? part.subarray(6) : part))
    .map((part) => (dataCoding === 0 ? decodeGsm7(part) : Buffer.from(part).swap16().toString('utf16le')))
    .join('');
}

const gsm7 = fc.constantFrom(...(GSM7_BASIC + GSM7_EXTENSION).replaceAll('\0', '').replace('\u001b', ''));
const anything = fc.oneof(
  gsm7,
  fc.constantFrom('я', '验', '🔐', 'Ç', '\0', '\u001b'),
  fc.string({ unit: 'binary' }),
);

it('carries every text intact, in as many parts as core counts, none too long', () => {
  const texts = fc.oneof(
    fc.string({ unit: gsm7, maxLength: 400 }),
    fc.array(anything, { maxLength: 200 }).map((pieces) => pieces.join('')),
  );
  fc.assert(
    fc.property(texts, fc.nat(), (text, reference) => {
      const segments = segmentText(text, reference);
      assert.equal(decode(segments), text);
      assert.equal(segments.dataCoding, isGsm7(text) ? 0 : 8);
      assert.equal(segments.parts.length, countSegments(text));
      // A concatenated GSM-7 part has 153 septets beside its header, which takes six octets here.
      const limit = segments.dataCoding === 8 ? 140 : segments.concatenated ? 159 : 160;
      assert.ok(segments.parts.every((part) => part.length <= limit));
    }),
  );
});

it('encodes as the tables of 3GPP TS 23.038 say', () => {
  assert.deepEqual([...segmentText('@Δ €~', 0).parts[0]], [0x00, 0x10, 0x20, 0x1b, 0x65, 0x1b, 0x3d]);
  assert.deepEqual([...segmentText('ж', 0).parts[0]], [0x04, 0x36]);
  assert.deepEqual([...segmentText('🔐', 0).parts[0]], [0xd8, 0x3d, 0xdd, 0x10]);
});

it('numbers the parts and gives them one reference', () => {
  const headers = segmentText('ж'.repeat(135), 0x1ff).parts.map((part) => part.toString('hex', 0, 6));
  assert.deepEqual(headers, ['050003ff0301', '050003ff0302', '050003ff0303']);
});

it('replaces half of a surrogate pair rather than send what no telephone can show', () => {
  assert.deepEqual([...segmentText('\ud83d', 0).parts[0]], [0xff, 0xfd]);
});

it('cuts no escape and no surrogate pair in two', () => {
  const lengths = (text: string) => segmentText(text, 0).parts.map((part) => part.length - 6);
  assert.deepEqual(lengths(`${'x'.repeat(152)}€${'y'.repeat(7)}`), [152, 9]);
  assert.deepEqual(lengths(`${'ж'.repeat(66)}🔐жжж`), [132, 10]);
});
