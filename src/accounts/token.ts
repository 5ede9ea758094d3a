/** Secrets that the portal hands out: 256 random bits. The store keeps only their SHA-256. */
import { createHash, randomBytes, randomUUIDv7 } from 'node:crypto';

export const mintToken = (): string => randomBytes(32).toString('base64url');

/** A fast hash is enough, because the token is random. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url');

let minted = 0;

/**
 * An id for lists: a prefix and 32 hex digits, in order of `at` (Unix ms) and, within one ms, in the order in which this process
 * minted them. UUIDv7 leaves that order to chance.
 */
export function mintListId(prefix: string, at: number): string {
  minted = (minted + 1) % 2 ** 32;
  return `${idsFrom(prefix, at)}${minted.toString(16).padStart(8, '0')}${randomBytes(6).toString('hex')}`;
}

/** The id of an audit entry. */
export const mintEntryId = (at: number): string => mintListId('aud', at);

/** The lower bound of the ids of entries from that time on. */
export const entryIdsFrom = (at: number): string => idsFrom('aud', at);

const idsFrom = (prefix: string, at: number): string => `${prefix}_${at.toString(16).padStart(12, '0')}`;

/** An id in order of time, such as `per_` and 32 hex digits. */
export const mintId = (prefix: string): string => `${prefix}_${randomUUIDv7().replaceAll('-', '')}`;
