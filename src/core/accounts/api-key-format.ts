/**
 * The format of an API key: `csk_live_` or `csk_test_`, then 30 random characters and a checksum of 6, all in base 62.
 *
 * A scanner finds keys with `csk_(live|test)_[0-9A-Za-z]{36}` and recognises look-alikes offline, because the checksum is
 * the CRC-32 of everything before it, as in GitHub's keys. With only underscores, a double click selects the whole key.
 */
import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Random } from '../seams/random.ts';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SHAPE = /^csk_(?:live|test)_[0-9A-Za-z]{36}$/;

/** In words, for those who write one where it is expected. */
export const KEY_SHAPE = 'csk_test_ or csk_live_, then 30 random letters and digits and their checksum';

/** 62^30 is 178 bits; the visible prefix leaves 131 of them secret. */
const RANDOM_LENGTH = 30;
const CHECKSUM_LENGTH = 6;
const [LIVE, TEST] = ['csk_live_', 'csk_test_'];
const PREFIX_LENGTH = LIVE.length + 8;

export interface MintedKey {
  /** The key itself, shown once and kept nowhere. */
  readonly key: string;
  readonly id: string;
  /** Such as `csk_live_AbC3dE7f`: names the key in lists and for revoking. */
  readonly prefix: string;
  readonly hash: string;
}

export function mintKey(random: Random, test: boolean): MintedKey {
  const body = `${test ? TEST : LIVE}${drawCharacters(random, RANDOM_LENGTH)}`;
  return registerKey(random, body + checksumOf(body));
}

/** What the store keeps of a key that already exists. */
export function registerKey(random: Random, key: string): MintedKey {
  return { key, id: `key_${drawCharacters(random, 16)}`, prefix: prefixOf(key), hash: hashApiKey(key) };
}

/** Whether the key reaches only the simulator. */
export function isTestKey(token: string): boolean {
  return token.startsWith(TEST);
}

/** The part of a well-formed key that must be random. */
export function randomPartOf(token: string): string {
  return token.slice(TEST.length, TEST.length + RANDOM_LENGTH);
}

/** Checks the checksum, so that a mistyped or invented token never costs a look into the store. */
export function isWellFormedKey(token: string): boolean {
  return SHAPE.test(token) && checksumOf(token.slice(0, -CHECKSUM_LENGTH)) === token.slice(-CHECKSUM_LENGTH);
}

export function prefixOf(token: string): string {
  return token.slice(0, PREFIX_LENGTH);
}

export function hashApiKey(token: string): string {
  return hash('sha256', token, 'hex');
}

function drawCharacters({ below }: Random, count: number): string {
  return Array.from({ length: count }, () => DIGITS[below(DIGITS.length)]).join('');
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
