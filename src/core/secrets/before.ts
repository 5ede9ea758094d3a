/**
 * What the version before sealed and hashed, for reading only: stores hold it when that version is replaced. To be deleted
 * with the next release, together with the lines that import it (keyring.ts, sealed-field.ts).
 *
 * It sealed by AES-256 in a counter mode with a MAC behind it: `id + name of the counter + number of its first block in base 36
 * + . + base64url + MAC`. Its MACs and hashes are SHA3-256 over key and text.
 */
import { createDecipheriv, hash, hkdfSync } from 'node:crypto';
import { areEqual } from './constant-time.ts';

const ID_LENGTH = 6;
const MAC_LENGTH = 22;
/** Nine bytes in base64url, with which the counter blocks of a process begin; the last six bytes of a block count. */
const NAME_LENGTH = 12;
const BLOCK_BYTES = 16;
const COUNTER_BYTES = 6;

/** Whether that version sealed this: it began with the id of the secret, and no id holds the mark of today. */
export const isFromBefore = (sealed: string): boolean => /^[\w-]{6}/.test(sealed);

/** The id of the secret that this was sealed under, in the format of before. */
export const secretIdBefore = (sealed: string): string => sealed.slice(0, ID_LENGTH);

/** What that version hashed. */
export type PurposeBefore = 'codes' | 'destinations' | 'recipients' | 'idempotency' | 'devices';

/** What one secret was used for. */
export class KeysBefore {
  readonly #cipher: Buffer;
  readonly #macs: Readonly<Record<PurposeBefore | 'seals', string>>;

  constructor(secret: string) {
    const bytes = (purpose: string) =>
      Buffer.from(hkdfSync('sha256', secret, '', `countersign ${purpose}`, 32));
    this.#cipher = bytes('cipher');
    this.#macs = {
      seals: bytes('seals').toString('hex'),
      codes: bytes('codes').toString('hex'),
      destinations: bytes('destinations').toString('hex'),
      recipients: bytes('recipients').toString('hex'),
      idempotency: bytes('idempotency').toString('hex'),
      devices: bytes('devices').toString('hex'),
    };
  }

  hash(purpose: PurposeBefore | 'seals', text: string): string {
    return hash('sha3-256', this.#macs[purpose] + text, 'base64url').slice(0, MAC_LENGTH);
  }

  open(sealed: string, context: string): string {
    const enciphered = sealed.slice(0, -MAC_LENGTH);
    if (!areEqual(sealed.slice(-MAC_LENGTH), this.hash('seals', `${context}\0${enciphered}`))) {
      throw new Error('not sealed here, or altered since');
    }
    const nameAt = ID_LENGTH + NAME_LENGTH;
    const dot = enciphered.indexOf('.', nameAt);
    const counter = Buffer.alloc(BLOCK_BYTES);
    counter.write(enciphered.slice(ID_LENGTH, nameAt), 'base64url');
    const block = Number.parseInt(enciphered.slice(nameAt, dot), 36);
    counter.writeUIntBE(block, BLOCK_BYTES - COUNTER_BYTES, COUNTER_BYTES);
    const bytes = Buffer.from(enciphered.slice(dot + 1), 'base64url');
    return createDecipheriv('aes-256-ctr', this.#cipher, counter).update(bytes, undefined, 'utf8');
  }
}
