/** Secrets that the portal hands out: 256 random bits. The store keeps only their SHA-256. */
import { createHash } from 'node:crypto';
import type { Random } from '../core/seams/random.ts';

export const mintToken = ({ bytes }: Random): string => bytes(32).toString('base64url');

/** A fast hash is enough, because the token is random. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url');

/** How many each process minted. In a simulated world, each node has a randomness of its own. */
const minted = new WeakMap<Random, number>();

/**
 * An id for lists: a prefix and 32 hex digits, in order of `at` (Unix ms) and, within one ms, in the order in which this process
 * minted them. UUIDv7 leaves that order to chance.
 */
export function mintListId(prefix: string, at: number, random: Random): string {
  const number = ((minted.get(random) ?? 0) + 1) % 2 ** 32;
  minted.set(random, number);
  return `${idsFrom(prefix, at)}${number.toString(16).padStart(8, '0')}${random.bytes(6).toString('hex')}`;
}

/** The id of an audit entry. */
export const mintEntryId = (at: number, random: Random): string => mintListId('aud', at, random);

/** The lower bound of the ids of entries from that time on. */
export const entryIdsFrom = (at: number): string => idsFrom('aud', at);

const idsFrom = (prefix: string, at: number): string => `${prefix}_${at.toString(16).padStart(12, '0')}`;

/** An id in order of time, such as `per_` and the 32 hex digits of a UUID (RFC 9562, version 7). */
export const mintId = (prefix: string, { orderedUuid }: Random): string =>
  `${prefix}_${orderedUuid().replaceAll('-', '')}`;
