import { plainNumber } from '../../../src/core/destination/plain-number.ts';

/** Seven are the fewest digits of a full number. */
const DIGITS = /^\+?\d{7,}$/;
/** It has dots only. */
const IPV4 = /^(\d{1,3}\.){1,3}\d{1,3}$/;

/** No list but that of verifications is searched by full number, and the address of a request must never have one. */
export function looksLikeNumber(text: string): boolean {
  return DIGITS.test(plainNumber(text).replace(/\s/g, '')) && !IPV4.test(text.trim());
}
