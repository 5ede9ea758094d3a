/**
 * The shape of an API key: `csk_live_` or `csk_test_`, 30 random characters, 6 of checksum; all base 62.
 *
 * A scanner finds keys by `csk_(live|test)_[0-9A-Za-z]{36}` and tells them from look-alikes offline, for the checksum is
 * the CRC-32 of all that stands before it, as GitHub does. Underscores alone separate: a double click selects the key.
 */
import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SHAPE = /^csk_(?:live|test)_[0-9A-Za-z]{36}$/;

/** 62^30 is 178 bits; 131 of them stay secret from whoever sees the prefix. */
const RANDOM_LENGTH = 30;
const CHECKSUM_LENGTH = 6;
const PREFIX_LENGTH = 'csk_live_'.length + 8;

export interface MintedKey {
  /** The key itself. Shown once, kept nowhere. */
  readonly key: string;
  readonly id: string;
  /** `csk_live_AbC3dE7f`: names the key in lists and for revoking. */
  readonly prefix: string;
  readonly hash: string;
}

export function mintKey(test: boolean): MintedKey {
  const body = `csk_${test ? 'test' : 'live'}_${drawCharacters(RANDOM_LENGTH)}`;
  const key = body + checksumOf(body);
  return { key, id: `key_${drawCharacters(16)}`, prefix: prefixOf(key), hash: hashKey(key) };
}

/** Whether the checksum fits, so that a mistyped or invented token never costs a look into the store. */
export function isWellFormedKey(token: string): boolean {
  return SHAPE.test(token) && checksumOf(token.slice(0, -CHECKSUM_LENGTH)) === token.slice(-CHECKSUM_LENGTH);
}

/** What lists show of a key. */
export function prefixOf(token: string): string {
  return token.slice(0, PREFIX_LENGTH);
}

/** What the store keeps and looks keys up by. */
export function hashKey(token: string): string {
  return hash('sha256', token, 'hex');
}

function drawCharacters(count: number): string {
  return Array.from({ length: count }, () => DIGITS[randomInt(DIGITS.length)]).join('');
}

function checksumOf(body: string): string {
  let rest = crc32(body);
  let digits = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    digits = DIGITS[rest % DIGITS.length] + digits;
    rest = Math.floor(rest / DIGITS.length);
  }
  return digits;
}
