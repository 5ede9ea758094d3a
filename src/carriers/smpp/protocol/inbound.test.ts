import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Keyword, readKeyword } from '../../../core/blocking/keyword.ts';
import { KEYWORDS } from '../../../core/blocking/keywords.ts';
import { GSM7_BASIC } from '../../../core/message/segments.ts';
import type { ReceivedMessage } from './body.ts';
import { parseInbound } from './inbound.ts';

function message(octets: Buffer, rest: Partial<ReceivedMessage> = {}): ReceivedMessage {
  return {
    serviceType: '',
    source: { ton: 1, npi: 1, digits: '4915123456789' },
    destination: { ton: 3, npi: 0, digits: '12345' },
    esmClass: 0,
    validityPeriod: '',
    registeredDelivery: 0,
    dataCoding: 0,
    octets,
    tlvs: new Map(),
    ...rest,
  };
}

const textOf = (octets: Buffer, rest?: Partial<ReceivedMessage>) =>
  parseInbound('smsc', message(octets, rest))?.text;

const WORDS = Object.values(KEYWORDS).flatMap(({ stop, start }) => [
  ...stop.map((word): [Keyword, string] => ['stop', word]),
  ...start.map((word): [Keyword, string] => ['start', word]),
]);
/** Including those of a class (0x10 and more), and some that no alphabet belongs to. */
const LABELS = [0, 1, 3, 4, 5, 6, 8, 0x0d, 0x10, 0x18, 0x19, 0xf1, 0xf5];
const ALPHABETS: readonly (readonly [string, (word: string) => Buffer | undefined])[] = [
  ['GSM 03.38', (word) => within(GSM7_BASIC, word)],
  ['Latin-1', (word) => (/^[\0-\xff]*$/.test(word) ? Buffer.from(word, 'latin1') : undefined)],
  ['UTF-8', (word) => Buffer.from(word)],
  ['UCS-2', (word) => Buffer.from(word, 'utf16le').swap16()],
  ['UCS-2 with a mark', (word) => Buffer.from(`\ufeff${word}`, 'utf16le').swap16()],
  ['little-endian UCS-2', (word) => Buffer.from(word, 'utf16le')],
];

function within(alphabet: string, word: string): Buffer | undefined {
  const octets = Array.from(word, (letter) => alphabet.indexOf(letter));
  return octets.includes(-1) ? undefined : Buffer.from(octets);
}

describe('parseInbound', () => {
  it('reads the text in its alphabet', () => {
    assert.equal(textOf(Buffer.from('Stop')), 'Stop');
    assert.equal(textOf(Buffer.from([0x41, 0x52, 0x52, 0x1f, 0x54, 0x5b])), 'ARRÉTÄ', 'GSM 03.38');
    assert.equal(textOf(Buffer.from('ARRÊT', 'latin1'), { dataCoding: 3 }), 'ARRÊT');
    assert.equal(textOf(Buffer.from('停止', 'utf16le').swap16(), { dataCoding: 8 }), '停止');
    const headed = Buffer.concat([Buffer.from([5, 0, 3, 1, 1, 1]), Buffer.from('STOP')]);
    assert.equal(textOf(headed, { esmClass: 0x40 }), 'STOP', 'behind its header');
  });

  it('obeys a keyword in whatever alphabet, however it is labelled', () => {
    const wrong: string[] = [];
    for (const [keyword, word] of WORDS) {
      for (const [alphabet, encode] of ALPHABETS) {
        const octets = encode(word);
        if (octets === undefined) continue;
        for (const dataCoding of LABELS) {
          const read = readKeyword(textOf(octets, { dataCoding }) ?? '');
          if (read !== keyword) wrong.push(`${word} in ${alphabet} as ${dataCoding}: ${read}`);
        }
      }
    }
    assert.deepEqual(wrong, []);
  });

  it('reads what is no keyword as it is labelled', () => {
    assert.equal(textOf(Buffer.from('Привет', 'utf16le').swap16(), { dataCoding: 8 }), 'Привет');
    assert.equal(textOf(Buffer.from('hello'), { dataCoding: 8 }), '桥汬');
    assert.equal(textOf(Buffer.from('hello stop')), 'hello stop');
    assert.equal(textOf(Buffer.from('Grüße', 'latin1'), { dataCoding: 3 }), 'Grüße');
  });

  it('is deaf to receipts and acknowledgements, and to senders without a number', () => {
    for (const esmClass of [0x04, 0x08, 0x10, 0x18, 0x20]) {
      assert.equal(textOf(Buffer.from('STOP'), { esmClass }), undefined);
    }
    for (const source of [
      { ton: 5, npi: 0, digits: 'Acme' },
      { ton: 2, npi: 1, digits: '015123456789' },
      { ton: 0, npi: 0, digits: '12345' },
    ]) {
      assert.equal(textOf(Buffer.from('STOP'), { source }), undefined);
    }
  });

  it('never throws', () => {
    for (let octet = 0; octet < 256; octet++) assert.equal(typeof textOf(Buffer.from([octet])), 'string');
    assert.equal(textOf(Buffer.alloc(0)), '');
  });
});
