/** Secrets that the portal hands out: 256 random bits, of which the store keeps the SHA-256 alone. */
import { createHash, randomBytes, randomUUIDv7 } from 'node:crypto';

export const mintToken = (): string => randomBytes(32).toString('base64url');

/** A fast hash suffices: what is hashed was drawn at random. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url');

/** An id in order of time: `per_` and 32 hex digits. */
export const mintId = (prefix: string): string => `${prefix}_${randomUUIDv7().replaceAll('-', '')}`;
