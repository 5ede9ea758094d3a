/** Secrets that the portal hands out: 256 random bits, of which the store keeps the SHA-256 alone. */
import { createHash, randomBytes, randomUUIDv7 } from 'node:crypto';

export const mintToken = (): string => randomBytes(32).toString('base64url');

/** A fast hash suffices: what is hashed was drawn at random. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url');

let minted = 0;

/**
 * The id of an entry in the audit log: `aud_` and 32 hex digits, in order of `at` (Unix ms) and, within one, in the order
 * in which this process minted them. A UUIDv7 leaves those of one ms to chance.
 */
export function mintEntryId(at: number): string {
  minted = (minted + 1) % 2 ** 32;
  return `${entryIdsFrom(at)}${minted.toString(16).padStart(8, '0')}${randomBytes(6).toString('hex')}`;
}

/** What ids of entries from that time on are not below. */
export const entryIdsFrom = (at: number): string => `aud_${at.toString(16).padStart(12, '0')}`;

/** An id in order of time: `per_` and 32 hex digits. */
export const mintId = (prefix: string): string => `${prefix}_${randomUUIDv7().replaceAll('-', '')}`;
