/** AES-256 in counter mode (NIST SP 800-38A, section 6.5). It keeps texts secret and authenticates nothing. */
import { type Cipheriv, createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const BLOCK_BYTES = 16;
/** Every counter block of a process begins with the same random bytes; the last six of it count. */
const NAME_BYTES = 9;
/** In base64url, which nine bytes fill without a rest. */
const NAME_LENGTH = 12;
/** What a Number holds exactly: more blocks than any process enciphers. */
const COUNTER_BYTES = 6;
/** Keystream is made for so many bytes at a time: an object of OpenSSL's for each text would cost more than enciphering it. */
const AHEAD = Buffer.alloc(256 * BLOCK_BYTES);

/**
 * One row of counter blocks for all that a process enciphers under a key, none of them used twice. A random IV for each text
 * may be drawn 2^32 times under one key (SP 800-38D, section 8.3), which this service does within days; here one is drawn
 * in the life of a process.
 */
export class CounterMode {
  readonly #key: Buffer;
  readonly #name = randomBytes(NAME_BYTES).toString('base64url');
  readonly #stream: Cipheriv;
  #nextBlock = 0;
  /** Of the blocks that come next, behind those used. */
  #keystream: Buffer = Buffer.alloc(0);
  #used = 0;

  constructor(key: Buffer) {
    this.#key = key;
    this.#stream = createCipheriv('aes-256-ctr', key, counterBlock(this.#name, 0));
  }

  /** Answers `name of the counter + number of its first block in base 36 + . + base64url`. */
  encipher(text: string): string {
    const bytes = Buffer.from(text, 'utf8');
    const block = this.#nextBlock;
    const length = Math.ceil(bytes.length / BLOCK_BYTES) * BLOCK_BYTES;
    while (this.#used + length > this.#keystream.length) {
      const left = this.#keystream.subarray(this.#used);
      this.#keystream = Buffer.concat([left, this.#stream.update(AHEAD)]);
      this.#used = 0;
    }
    for (let i = 0; i < bytes.length; i++) {
      bytes[i] = (bytes[i] ?? 0) ^ (this.#keystream[this.#used + i] ?? 0);
    }
    this.#used += length;
    this.#nextBlock += length / BLOCK_BYTES;
    return `${this.#name}${block.toString(36)}.${bytes.toString('base64url')}`;
  }

  /** The text again. Whoever asks has made sure that some process enciphered it under this key. */
  decipher(enciphered: string): string {
    const dot = enciphered.indexOf('.', NAME_LENGTH);
    const block = Number.parseInt(enciphered.slice(NAME_LENGTH, dot), 36);
    const counter = counterBlock(enciphered.slice(0, NAME_LENGTH), block);
    return createDecipheriv('aes-256-ctr', this.#key, counter).update(
      enciphered.slice(dot + 1),
      'base64url',
      'utf8',
    );
  }
}

function counterBlock(name: string, block: number): Buffer {
  const counter = Buffer.alloc(BLOCK_BYTES);
  counter.write(name, 'base64url');
  counter.writeUIntBE(block, BLOCK_BYTES - COUNTER_BYTES, COUNTER_BYTES);
  return counter;
}
