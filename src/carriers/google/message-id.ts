/**
 * The id of a message, which is ours to choose: a UUID made of the verification, so that a message that is sent again has the same.
 * Google takes each only once.
 */
import { createHash } from 'node:crypto';

/** Version 5, the one of names (RFC 9562, section 5.5). The name needs no secrecy, and the hash no strength. */
export function messageIdOf(verification: string): string {
  const bytes = createHash('sha1').update(`countersign ${verification}`).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
