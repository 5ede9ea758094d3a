/** Digits of every script as ASCII: people type those of their keyboard. */
export const toAsciiDigits = (text: string): string =>
  text.normalize('NFKC').replace(/\p{Nd}/gu, (digit) => {
    // Unicode has decimal digits in ascending runs of ten; some runs are adjacent.
    const point = digit.codePointAt(0) ?? 0;
    let before = 0;
    while (/\p{Nd}/u.test(String.fromCodePoint(point - before - 1))) before++;
    return String(before % 10);
  });
