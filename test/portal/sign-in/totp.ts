/** The six digits of RFC 6238, computed independently of the service. */
import { createHmac } from 'node:crypto';

export const STEP_MS = 30_000;

export function totp(secret: string, at: number): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  let bits = 0n;
  for (const letter of secret) bits = bits * 32n + BigInt(alphabet.indexOf(letter));
  const key = Buffer.from(bits.toString(16).padStart(40, '0'), 'hex');
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(at / STEP_MS)));
  const mac = createHmac('sha1', key).update(counter).digest();
  const at4 = mac.readUInt8(19) % 16;
  return String((mac.readUInt32BE(at4) % 2 ** 31) % 1_000_000).padStart(6, '0');
}
