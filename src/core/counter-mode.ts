/** AES-256 in counter mode (NIST SP 800-38A, section 6.5). It keeps texts secret and authenticates nothing. */
import { type Cipheriv, createCipheriv, randomBytes } from 'node:crypto';

const BLOCK_BYTES = 16;
/** Every counter block of a process begins with the same random bytes; the last six of it count. */
const NAME_BYTES = 9;
/** In base64url, which nine bytes fill without a rest. */
const NAME_LENGTH = 12;
/** What a Number holds exactly: more blocks than any process enciphers. */
const COUNTER_BYTES = 6;
/** Blocks of keystream made at a time. */
const AHEAD = 256;

/**
 * One row of counter blocks for all that a process enciphers under a key, none of them used twice. A random IV for each text
 * may be drawn 2^32 times under one key (SP 800-38D, section 8.3), which this service does within days; here one is drawn
 * in the life of a process.
 */
export class CounterMode {
  /**
   * AES of single blocks, which the mode is made of, for as long as the process lives. An object of OpenSSL's own counter
   * mode for each text costs ten times what its enciphering does, its collection as garbage not counted.
   */
  readonly #aes: Cipheriv;
  readonly #name = randomBytes(NAME_BYTES).toString('base64url');
  #nextBlock = 0;
  /** Of the blocks that come next, behind those used. */
  #keystream: Buffer = Buffer.alloc(0);
  #used = 0;

  constructor(key: Buffer) {
    this.#aes = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false);
  }

  /** Answers `name of the counter + number of its first block in base 36 + . + base64url`. */
  encipher(text: string): string {
    const bytes = Buffer.from(text, 'utf8');
    const block = this.#nextBlock;
    const blocks = blocksOf(bytes);
    if (this.#used + bytes.length > this.#keystream.length) {
      this.#keystream = this.#encrypt(this.#name, block, Math.max(blocks, AHEAD));
      this.#used = 0;
    }
    combine(bytes, this.#keystream, this.#used);
    this.#used += blocks * BLOCK_BYTES;
    this.#nextBlock += blocks;
    return `${this.#name}${block.toString(36)}.${bytes.toString('base64url')}`;
  }

  /** The text again. Whoever asks has made sure that some process enciphered it under this key. */
  decipher(enciphered: string): string {
    const dot = enciphered.indexOf('.', NAME_LENGTH);
    const block = Number.parseInt(enciphered.slice(NAME_LENGTH, dot), 36);
    const bytes = Buffer.from(enciphered.slice(dot + 1), 'base64url');
    combine(bytes, this.#encrypt(enciphered.slice(0, NAME_LENGTH), block, blocksOf(bytes)), 0);
    return bytes.toString('utf8');
  }

  /** The keystream of so many blocks. */
  #encrypt(name: string, firstBlock: number, blocks: number): Buffer {
    const counters = Buffer.alloc(blocks * BLOCK_BYTES);
    for (let i = 0; i < blocks; i++) {
      counters.write(name, i * BLOCK_BYTES, 'base64url');
      counters.writeUIntBE(firstBlock + i, (i + 1) * BLOCK_BYTES - COUNTER_BYTES, COUNTER_BYTES);
    }
    return this.#aes.update(counters);
  }
}

function blocksOf(bytes: Buffer): number {
  return Math.ceil(bytes.length / BLOCK_BYTES);
}

/** To encipher and to decipher is one. */
function combine(bytes: Buffer, keystream: Buffer, from: number): void {
  for (let i = 0; i < bytes.length; i++) bytes[i] = (bytes[i] ?? 0) ^ (keystream[from + i] ?? 0);
}
