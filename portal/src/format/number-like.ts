/** Digits, however they are grouped. Seven are the fewest of a full number, and an IPv4 address has dots only. */
const DIGITS = /^\+?[\d\s().-]+$/;
const IPV4 = /^(\d{1,3}\.){1,3}\d{1,3}$/;

/** No list but that of verifications is searched by full number, and the address of a request must never have one. */
export function looksLikeNumber(text: string): boolean {
  const typed = text.trim();
  return DIGITS.test(typed) && !IPV4.test(typed) && typed.replace(/\D/g, '').length >= 7;
}
