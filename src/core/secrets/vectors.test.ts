import assert from 'node:assert/strict';
import { createSecretKey } from 'node:crypto';
import { suite, test } from 'node:test';
import { decipher, encipher } from './gcm.ts';
import { hmac } from './keyed-hash.ts';

const bytes = (hex: string) => Buffer.from(hex, 'hex');

suite('published test vectors', () => {
  // The GCM specification's test cases for 256-bit keys with IVs of 96 bits (McGrew and Viega, appendix B).
  const KEY = 'feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308';
  const NONCE = 'cafebabefacedbaddecaf888';
  const TEXT =
    'd9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39';
  const ENCIPHERED =
    '522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662';
  const cases = [
    {
      name: '13: nothing',
      key: '0'.repeat(64),
      nonce: '0'.repeat(24),
      text: '',
      associated: '',
      enciphered: '530f8afbc74536b9a963b4f1c4cb738b',
    },
    {
      name: '14: one block',
      key: '0'.repeat(64),
      nonce: '0'.repeat(24),
      text: '0'.repeat(32),
      associated: '',
      enciphered: 'cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919',
    },
    {
      name: '15: four blocks',
      key: KEY,
      nonce: NONCE,
      text: `${TEXT}1aafd255`,
      associated: '',
      enciphered: `${ENCIPHERED}898015adb094dac5d93471bdec1a502270e3cc6c`,
    },
    {
      name: '16: with associated data',
      key: KEY,
      nonce: NONCE,
      text: TEXT,
      associated: 'feedfacedeadbeeffeedfacedeadbeefabaddad2',
      enciphered: `${ENCIPHERED}76fc6ece0f4e1768cddf8853bb2d551b`,
    },
  ];
  for (const { name, key, nonce, text, associated, enciphered } of cases) {
    test(`AES-256-GCM, ${name}`, () => {
      const secret = createSecretKey(bytes(key));
      const sealed = encipher(secret, bytes(nonce), bytes(text), bytes(associated));
      assert.equal(sealed.toString('hex'), nonce + enciphered);
      assert.equal(decipher(secret, sealed, bytes(associated)).toString('hex'), text);
      assert.throws(() => decipher(secret, sealed, bytes(`${associated}00`)));
      assert.throws(() => decipher(secret, sealed.subarray(0, -1), bytes(associated)));
    });
  }

  // RFC 4231; its case 5 is of a shortened MAC.
  const macs = [
    [
      '1',
      '0b'.repeat(20),
      '4869205468657265',
      'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7',
    ],
    [
      '2',
      '4a656665',
      '7768617420646f2079612077616e7420666f72206e6f7468696e673f',
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    ],
    [
      '3',
      'aa'.repeat(20),
      'dd'.repeat(50),
      '773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe',
    ],
    [
      '4',
      '0102030405060708090a0b0c0d0e0f10111213141516171819',
      'cd'.repeat(50),
      '82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b',
    ],
    ['5', '0c'.repeat(20), '546573742057697468205472756e636174696f6e', 'a3b6167473100ee06e0c796c2955552b'],
    [
      '6',
      'aa'.repeat(131),
      '54657374205573696e67204c6172676572205468616e20426c6f636b2d53697a65204b6579202d2048617368204b6579204669727374',
      '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54',
    ],
  ] as const;
  for (const [name, key, text, expected] of macs) {
    test(`HMAC-SHA-256, case ${name}`, () => {
      const mac = hmac(createSecretKey(bytes(key)), bytes(text));
      assert.equal(mac.length, '2~'.length + 22);
      // 22 characters hold 16 bytes and four bits more.
      const found = Buffer.from(mac.slice('2~'.length), 'base64url');
      assert.equal(found.toString('hex'), expected.slice(0, 32));
    });
  }
});
