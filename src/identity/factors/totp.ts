/** Time-based one-time passwords (RFC 6238) with SHA-1, six digits and thirty seconds, which every authenticator supports. */
import { createHmac } from 'node:crypto';
import { TOTP_STEP_MS, TOTP_STEPS_AROUND } from '../../core/accounts/lasting.ts';
import type { Random } from '../../core/seams/random.ts';
import { areEqual } from '../../core/secrets/constant-time.ts';

const DIGITS = 6;
/** RFC 4226, section 4: 160 bits. */
const SECRET_BYTES = 20;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** In base 32 (RFC 4648, section 6). */
export function mintTotpSecret(random: Random): string {
  const bits = [...random.bytes(SECRET_BYTES)].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{5}/g) ?? []).map((five) => BASE32[Number.parseInt(five, 2)]).join('');
}

/** The code of a step (RFC 4226, section 5.3). */
export function totpAt(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', decodeBase32(secret)).update(counter).digest();
  const offset = mac.readUInt8(mac.length - 1) & 0x0f;
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

/** The step that the code belongs to: the current, previous or next one (section 5.2); undefined if the code is wrong. */
export function findStep(secret: string, code: string, now: number): number | undefined {
  const current = Math.floor(now / TOTP_STEP_MS);
  const around = TOTP_STEPS_AROUND;
  return [current, current - around, current + around].find((step) => areEqual(totpAt(secret, step), code));
}

/** What authenticators read from a QR code. */
export function totpUri(secret: string, email: string): string {
  return `otpauth://totp/Countersign:${encodeURIComponent(email)}?secret=${secret}&issuer=Countersign`;
}

function decodeBase32(text: string): Buffer {
  const bits = [...text].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
