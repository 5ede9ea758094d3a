import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SYSTEM_RANDOM } from '../../core/seams/random.ts';
import { findStep, mintTotpSecret, totpAt } from './totp.ts';

/** `12345678901234567890` of RFC 6238, appendix B, in base 32. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
/** The last six of the eight digits that the appendix gives for SHA-1. */
const VECTORS = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
] as const;

test('the codes are those of RFC 6238', () => {
  for (const [seconds, code] of VECTORS) assert.equal(totpAt(SECRET, Math.floor(seconds / 30)), code);
});

test('a code is recognised in its step, the one before and the one after, and no further', () => {
  const now = 1_234_567_890_000;
  const step = Math.floor(now / 30_000);
  for (const off of [-1, 0, 1]) assert.equal(findStep(SECRET, totpAt(SECRET, step + off), now), step + off);
  for (const off of [-2, 2]) assert.equal(findStep(SECRET, totpAt(SECRET, step + off), now), undefined);
});

test('a secret has 160 bits and is never the same', () => {
  const secrets = new Set(Array.from({ length: 100 }, () => mintTotpSecret(SYSTEM_RANDOM)));
  assert.equal(secrets.size, 100);
  for (const secret of secrets) assert.match(secret, /^[A-Z2-7]{32}$/);
});
