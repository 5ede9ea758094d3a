import assert from 'node:assert/strict';
import { createCipheriv, randomBytes } from 'node:crypto';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { CounterMode } from './counter-mode.ts';

const texts = fc.string({ unit: 'binary', maxLength: 200 }).filter((text) => text.isWellFormed());

suite('counter mode', () => {
  const key = randomBytes(32);

  test('is AES-256-CTR as OpenSSL has it', () => {
    const mode = new CounterMode(key);
    fc.assert(
      fc.property(texts, (text) => {
        const { name, block, bytes } = parse(mode.encipher(text));
        const counter = Buffer.alloc(16);
        counter.write(name, 'base64url');
        counter.writeUIntBE(block, 10, 6);
        assert.deepEqual(bytes, createCipheriv('aes-256-ctr', key, counter).update(text, 'utf8'));
      }),
    );
  });

  test('no block of the counter is used twice, however long the texts', () => {
    const mode = new CounterMode(key);
    let next = 0;
    fc.assert(
      fc.property(
        fc.oneof(
          texts,
          fc.constantFrom(0, 16, 17, 5_000).map((length) => 'a'.repeat(length)),
        ),
        (text) => {
          const { block, bytes } = parse(mode.encipher(text));
          assert.equal(block, next);
          next += Math.ceil(bytes.length / 16);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test('every process counts under a name of its own, and deciphers what another enciphered', () => {
    const there = new CounterMode(key);
    const here = new CounterMode(key);
    assert.notEqual(parse(there.encipher('text')).name, parse(here.encipher('text')).name);
    fc.assert(fc.property(texts, (text) => assert.equal(here.decipher(there.encipher(text)), text)));
  });
});

function parse(enciphered: string) {
  const [position = '', bytes = ''] = enciphered.slice(12).split('.');
  return {
    name: enciphered.slice(0, 12),
    block: Number.parseInt(position, 36),
    bytes: Buffer.from(bytes, 'base64url'),
  };
}
