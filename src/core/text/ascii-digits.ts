/** Digits of every script as ASCII: people type those of their keyboard. */
export const toAsciiDigits = (text: string): string => text.replace(/\p{Nd}/gu, asciiDigit);

/** Unicode has decimal digits in ascending runs of ten (Standard, section 4.6); some runs are adjacent. */
function asciiDigit(digit: string): string {
  const point = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(point - before - 1))) before++;
  return String(before % 10);
}
